"""A bandit whose arms are tag paths, as in SB-CLASSIFIER (arXiv 2602.11874), and no more of it.

Links that stand at the same tag path are one arm; the arm with the best mean reward and the most to
learn (AUER) goes first, and within an arm the link found last. The reward is a relevant page, where
theirs is the number of targets that a page links to; paths are not clustered, and nothing
classifies URLs.
"""

from collections import Counter
from math import log, sqrt

from geoscout.strategy import Scored


def create(aim):
    return TagPaths()


class TagPaths:
    def __init__(self):
        self.tried, self.rewards = Counter(), Counter()

    def value(self, path):
        tried = self.tried[path] or 0.5
        return self.rewards[path] / tried + sqrt(2 * log(1 + self.tried.total()) / tried)

    def score(self, source, links):
        return [Scored(self.value(link.tag_path), link.tag_path.encode()) for link in links]

    def learn(self, outcome):
        path = outcome.request.features.decode()
        self.tried[path] += 1
        self.rewards[path] += outcome.relevant

    def due(self, responses):
        return 5000 if responses % 10 == 0 else 0

    def rescore(self, waiting):
        return [self.value(request.features.decode()) for request in waiting]
