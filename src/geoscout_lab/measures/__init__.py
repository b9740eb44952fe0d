"""What is measured of a crawl: pure functions over plain records, no crawl or web in sight."""
