"""Depth first: the link found last is fetched first, and of one page the first link."""

from geoscout.strategy import Scored


def create(aim):
    return Depth()


class Depth:
    def __init__(self):
        self.found = 0

    def score(self, source, links):
        self.found += len(links)
        return [Scored(float(self.found - number)) for number in range(len(links))]
