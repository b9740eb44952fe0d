"""The words of a synthetic web: language, prose, markup, layouts, and the page they become."""
