"""The fault campaign: what geoscout promises, tried against hostile hosts, machines and clients.

    make faults                                    # all of it, 20 minutes at most
    python -m tests.faults --only clock,kills      # some families
    python -m tests.faults --seed 7 --minutes 60   # another course of chance, more time

Every family is a module, and every scenario in it a function that says which promise it tries
(`scenario.py`), does one thing, and checks the result. `campaign.py` runs them and prints a table
of promise and result; its exit status is 1 if a promise is broken.

Where namespaces can be had (root, or a kernel that gives them to users), the campaign runs in a
network of its own with a name server of its own (`network.py`). The crawler then checks addresses
as it does on the live web, and every address of the world leads to our servers, private ones too:
what the servers have logged is what the crawler has asked. Elsewhere it runs on loopback with
`--allow-private`, and leaves out what that cannot show.
"""
