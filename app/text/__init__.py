"""From a typed sentence to tokens, and from tokens to toy vectors."""
