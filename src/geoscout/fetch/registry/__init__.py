"""Who registered a domain: RDAP and whois behind one cache."""
