"""Labelled pages for the question whether a page is about a region, and the judges' scores on them.

`labels.tsv` and the rule in README.md are data of the project; the pages themselves are not.
"""
