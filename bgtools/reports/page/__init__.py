"""The page of a report: one file to look at a match in a browser, without a network."""
