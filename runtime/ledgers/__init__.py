"""Ledgers: where tasks, arrivals and all that hangs on them are kept."""
