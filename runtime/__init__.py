"""Arrivals against a ledger: service, engine, step entry, ledgers, guards and operations.

Names are resolved on first use.
"""
