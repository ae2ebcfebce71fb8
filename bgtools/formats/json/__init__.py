"""bgtools' own JSON, which loses nothing."""
