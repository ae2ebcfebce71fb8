"""The website of a folder of records: one document a match, what all of them say together, and the pages."""
