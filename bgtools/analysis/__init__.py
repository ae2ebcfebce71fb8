"""Analysis: pip counts, luck, errors and ratings of a replayed match, as rows of plain values."""
