"""robots.txt: reading it, and keeping what each site said."""
