"""eXtreme Gammon's binary records."""
