"""The subcommands: their arguments, and the calls they become.

A module has one command or a few that go together, as its `COMMANDS`. `SUMMARIES` lists ours.
Without it `geoscout --help` would import all of them, and each call would search the installed
packages for entry points, which takes as long as all other imports of a start. Two of them are in
packages of their own, and are found by their entry points.
"""

# Command -> what it does, in the order in which a newcomer needs them.
SUMMARIES = {
    "place": "look up a name in the gazetteer",
    "geoparse": "find addresses, place names and scope of texts and pages",
    "seeds": "find seeds for a region in maps, catalogues and lists of hosts",
    "crawl": "crawl the web or an archive for pages about a region",
    "resume": "continue a crawl after a stop or a crash",
    "watch": "keep a crawl fresh: ask again for pages that have probably changed",
    "cluster": "crawl with several processes, on one machine or many",
    "status": "show the state of a crawl",
    "check": "find damaged responses of a crawl, and have them fetched again",
    "read": "print a page as Markdown, without the menus of its site",
    "mcp": "let language models search crawls, by the Model Context Protocol",
    "explain": "explain why a URL has its priority, and why its page is relevant",
    "export": "export what a crawl found",
    "directory": "list the businesses, clubs and offices that the pages of a crawl name",
    "forget": "delete everything that a crawl has of a host",
    "search": "find pages of a crawl by words and places",
    "browse": "browse the places that the pages of a crawl belong to",
    "index": "build the search index of a crawl, or bring it up to date",
    "serve": "serve a web page and a REST API over crawls and reports",
    "classifier": "train the model that assigns pages to nodes by their words",
    "robots": "check whether a robots.txt allows a URL",
    "gazetteer": "build the gazetteer, describe it, import files",
    "completion": "print a script that completes commands in your shell",
}
# The help lists them so; what is in none of these comes last.
GROUPS = {
    "every day": ("crawl", "resume", "status", "search", "serve", "export"),
    "places and entries": ("place", "geoparse", "directory", "seeds", "gazetteer"),
    "for programs": ("read", "mcp"),
    "looking after crawls": ("watch", "explain", "check", "forget", "index", "cluster"),
    "measuring": ("demo", "compare", "synthweb", "geofocus"),
}
# The modules of those that share one; the others are in modules of their own names.
MODULES = {
    "place": "gazetteer",
    "read": "export",
    "watch": "resume",
    "explain": "status",
    "forget": "check",
    "browse": "search",
    "index": "search",
    "robots": "seeds",
}
ELSEWHERE = {"cluster", "directory"}
