"""A project like any other; the last lines are geoscout's."""

BOT_NAME = "towns"
SPIDER_MODULES = ["towns.spiders"]
USER_AGENT = "towns (+mailto:you@example.org)"
ROBOTSTXT_OBEY = True
DOWNLOAD_DELAY = 1.0
CONCURRENT_REQUESTS_PER_DOMAIN = 1

ADDONS = {"geoscout.scrapy.GeoscoutAddon": 500}
GEOSCOUT_REGION = "Oldenburg, Germany"
GEOSCOUT_STRATEGY = "hybrid"
GEOSCOUT_DROP_OTHERS = True
