"""Reports: tables, pictures and texts made of an analysis or of findings."""
