"""Scores every judge on the labelled pages of this project: precision, recall and F by region.

    python -m benchmarks.relevance [--corpora DIR]

The pages are not part of the project: they are looked for in --corpora, GEOSCOUT_CORPORA or
../shared/corpora. Where they are missing this says so and ends well.
"""

from benchmarks.relevance import truth
from benchmarks.relevance.scoring import Asked, print_set


def main() -> None:
    """Score and print."""
    if asked := Asked.parse(__doc__):
        [cases], pages, gazetteer = asked.read([truth.ours])
        print_set("ours", cases, pages, gazetteer)


if __name__ == "__main__":
    main()
