"""Reads objects of OpenStreetMap from a file that a user has.

Start at `files.read_objects`: it takes GeoJSON (also one feature a line), the JSON of Overpass, and
with the extra `osm` everything that osmium reads (PBF, XML). It is for those who need what the map
says of businesses and addresses: the directory is joined to it (`directory/joining.py`), and its
websites are seeds. Nothing is asked of any server.
"""
