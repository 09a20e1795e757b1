"""How a number knows how it was made: arrays, the record of them, slopes."""
