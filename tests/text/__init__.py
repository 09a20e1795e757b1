"""Tests of the way from a sentence to tokens and toy vectors."""
