"""``python -m bgtools``."""

from bgtools.cli import main

main()
