"""Tests of what is asked over HTTP: the JSON API, the figures, the errors, the frame around them."""
