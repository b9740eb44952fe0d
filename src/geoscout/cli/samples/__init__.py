"""Two invented pages for the demo: one German with markup, one American with ambiguous names."""
