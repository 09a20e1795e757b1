"""The pages for people, one folder each."""
