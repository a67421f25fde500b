"""What every page and every answer of the API shares: factory, errors, headers, languages, description."""
