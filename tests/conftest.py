"""Its place puts this folder on the import path of every test, so that all can use `selfplay`."""
