"""Lets the tests of this folder import its helpers, and the product from the checkout."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "host"), str(ROOT / "firmware"), str(ROOT)]
