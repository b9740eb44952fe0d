"""What is measured of a crawl: pure functions over plain records, no crawl or web in sight.

`harvest` is how well a crawl focuses, `tree` how it got to what it found, `gao` and `kozanidis`
are the measures of those two papers, letter by letter.
"""
