"""The rules that make findings, and the settings that say which of them are reported."""
