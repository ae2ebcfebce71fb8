"""Smart Game Format, as GNU Backgammon writes it."""
