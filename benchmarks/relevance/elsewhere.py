"""Scores every judge on pages of other people, of many kinds of sites and countries.

    python -m benchmarks.relevance.elsewhere [--corpora DIR] [--many FILE]

The sets are those of `truth`: one page a site, pages of three regions drawn by stratum, home pages,
directories. FILE has the pages of `labels_of_many_sites.tsv` that are in no corpus.
"""

from benchmarks.relevance import truth
from benchmarks.relevance.scoring import Asked, print_set


def main() -> None:
    """Score and print."""
    if asked := Asked.parse(__doc__):
        sets = [labelled for labelled in truth.SETS if labelled is not truth.ours]
        cases, pages, gazetteer = asked.read(sets)
        for labelled, of_set in zip(sets, cases, strict=True):
            print_set(labelled.__name__, of_set, pages, gazetteer)


if __name__ == "__main__":
    main()
