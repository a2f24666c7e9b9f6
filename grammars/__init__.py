"""The language as one can read it: the grammar and the standard vocabulary. Files only, no code."""
