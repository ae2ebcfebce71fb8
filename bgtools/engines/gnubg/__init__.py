"""GNU Backgammon, run as a program."""
