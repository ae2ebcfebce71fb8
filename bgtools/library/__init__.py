"""Library: thousands of matches at once, as Parquet files that DuckDB queries."""
