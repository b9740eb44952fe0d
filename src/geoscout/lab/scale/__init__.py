"""What a cluster of a size can do, before anybody builds it (docs/scale.md)."""
