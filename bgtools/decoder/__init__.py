"""Reading a record that cannot be: which legal match it most likely means, and how sure that is."""
