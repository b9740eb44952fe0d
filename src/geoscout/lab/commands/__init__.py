"""The commands of the laboratory: compare, synthweb and demo."""
