"""Players over many matches: in words, as pictures, and as a page."""
