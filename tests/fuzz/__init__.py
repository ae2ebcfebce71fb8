"""Ruined records: what no content may do to the library, and what makes such content."""
