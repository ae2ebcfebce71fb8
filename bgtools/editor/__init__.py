"""The answers to what an editor asks while a record is typed, and the language server that gives them."""
