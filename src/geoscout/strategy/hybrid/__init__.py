"""The hybrid: learns online, from the first page, from every signal of the published systems."""
