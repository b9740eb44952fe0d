"""Reads places in any text or page: no network, no crawl."""
