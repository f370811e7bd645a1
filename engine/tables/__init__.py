"""Tables that are kept by column: read from large files by polars, gone through by column, rows made on request."""
