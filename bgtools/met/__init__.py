"""Match equity tables: what a score is worth, where tables come from, and the one that bgtools contains."""
