"""Times of day as the archive writes them."""

from datetime import UTC, datetime


def moment(text: str) -> datetime:
    """The time of an ISO 8601 text; without a zone it is UTC.

    >>> moment("2026-01-02T19:30:00").isoformat()
    '2026-01-02T19:30:00+00:00'
    """
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
