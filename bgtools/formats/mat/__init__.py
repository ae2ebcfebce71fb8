"""Match text and its cousins: Snowie text, Jellyfish games and positions."""
