"""The laboratory: worlds with known truth, simulated crawls, measures, and published experiments.

    worlds/        closed webs whose truth is known: synthetic ones, and archives
    simulation/    crawls of a world, by one node or several, and the oracles
    measures/      harvest, bridges, statistics: pure functions of what a crawl did
    study/         every strategy on every world, in processes; runs and results
    report/        a study as a page, as curves and as pictures
    gao2006/ ahlers2009/ kozanidis2009/    one paper each: experiment, measures, tables, numbers
    commands/      compare, synthweb, demo, and the views of `geoscout status`

The product never imports any of this; the commands are found by their entry points.
docs/evaluation.md says how focus is measured.
"""
