"""Golden masters: what geoscout computes, as hashes that a change must leave or explain.

make golden                        on the archives below GEOSCOUT_CORPORA, some minutes
make golden ONLY=orders,readings   only some pieces
make golden ACCEPT=1               what is computed now is right from now on
"""
