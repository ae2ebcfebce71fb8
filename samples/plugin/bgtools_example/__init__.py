"""An example of a package that adds a format, a rule, an engine and a rating to bgtools."""
