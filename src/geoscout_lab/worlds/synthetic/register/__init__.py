"""Who is who in a synthetic web: sites, URLs, entities, servers and owners, by number."""
