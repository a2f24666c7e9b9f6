"""Text to tree and back; knows form, not meaning."""
