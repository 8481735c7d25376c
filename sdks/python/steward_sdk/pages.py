"""Lists that are read page by page."""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, Optional, TypeVar, cast

P = TypeVar("P")
Item = TypeVar("Item")


class Pages(Generic[P, Item]):
    """A list. Iteration reads it page by page, each page when it is needed; `first()` returns the first page."""

    def __init__(self, read: Callable[[Optional[str]], Any]) -> None:
        self._read = read
        self._first: Any = None

    def first(self) -> P:
        """Returns the first page, which is read only once."""
        if self._first is None:
            self._first = self._read(None)
        return cast(P, self._first)

    def pages(self) -> Iterator[P]:
        """Iterates over the pages instead of the items."""
        page: Any = self.first()
        yield page
        while page["next_cursor"] is not None:
            page = self._read(page["next_cursor"])
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from cast(Any, page)["items"]
