"""Tools for an assistant, by the Model Context Protocol: each answers a question that a player has."""
