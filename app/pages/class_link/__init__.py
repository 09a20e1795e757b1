"""The page that prepares a link for a class."""
