"""What decides the numbers: the table of fields, how each is written and checked, examples."""
