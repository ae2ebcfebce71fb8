"""The record: what a file says, and what it says of the decisions. Nothing here is derived."""
