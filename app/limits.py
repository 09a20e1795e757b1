"""Every bound of the program, in one place; the page, the errors and the OpenAPI document read them here."""

TEXT = 1_000
"""Characters in a sentence."""
TOKENS = 64
"""Tokens in a sentence, rows of q, k, v or x."""
D_MODEL = 64
"""Model width."""
HEADS = 16
"""Query heads."""
WIDTH = 256
"""Heads times head width."""
SCORES = 16_384
"""Cells of the scores: heads times queries times keys."""
NUMBER = 1e100
"""Size of any number that is typed: what teachers put in the place of a hidden score fits, and products stay finite."""
SCALE = 1_000.0
"""Size of a scale given as a number."""
SMALLEST = 0.001
"""Smallest temperature, softcap or step length."""
SEED = 2**32 - 1
"""Largest seed."""
LABEL = 200
"""Characters in a label or in a word of the table."""
EDITS = 256
"""Edited cells."""
PROBLEMS = 20
"""Problems listed in one answer."""
TILES = 256
"""Tiles of queries and keys."""
STEPS = 3_000
"""Steps of a computation: 256 tiles without layers fit."""
RECORD = 400_000
"""Numbers in all steps together."""
BODY = 1_048_576
"""Bytes in the body of a request."""
QUERY = 60_000
"""Bytes in a query string."""
HEAD = 64_000
"""Bytes in the first line and the headers of a request."""
REQUEST_SECONDS = 30
"""Seconds until a request must be whole."""
GRACE_SECONDS = 4
"""Seconds that answers under way are given when the server is ended."""
OPEN_FILES = 65_536
"""Connections and files that the process asks the system for."""
ADDRESS = 8_000
"""Characters of a query that the page puts into an address; what is longer is posted."""
SMALL_WORK = 16
"""Words times layers up to which a scenario is computed at once; what is larger waits for its turn."""
FILE = 64
"""Megabytes of an exported file that the page opens again."""
DRAWN = 1e100
"""Size of a number in a picture of points; beyond it squares would overflow."""
NUMBERS_IN_CELLS = 16
"""Tokens up to which the page prints a number in every cell."""
EXPORT_CELLS = 3_000
"""Cells that an exported page explains, whole steps at a time."""
BLANKS = 600
"""Numbers that a worksheet leaves blank."""
QR_CODE = 858
"""Characters of a link up to which there is a QR code: 97 × 97 modules, the finest that a phone reads from the back of a room."""
PAGES_KEPT = 16_000_000
"""Bytes of pages that are kept for the next reader."""
