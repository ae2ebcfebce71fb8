"""OGXM and its relatives: GammonView JSON and BGBlitz matches."""
