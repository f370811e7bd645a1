"""Media and statistics functions on plain values and arrays. They know no rubric, and measure without judging."""
