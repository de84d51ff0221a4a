"""The figures of a page: a small tree of its elements, and the numbers in them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "rect", "wbr"}


@dataclass
class Element:
    name: str
    attributes: dict
    parent: "Element | None" = None
    children: list = field(default_factory=list)

    def all(self, *names):
        """The elements of these names in it, in their order."""
        for child in self.children:
            if isinstance(child, Element):
                if child.name in names:
                    yield child
                yield from child.all(*names)

    def get(self, attribute):
        """Of itself or of the nearest element around it."""
        return self.attributes.get(attribute) or (self.parent and self.parent.get(attribute))

    def text(self):
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def values(self):
        """Of the numbers and dates in it: what programs read, the currency, and what people read."""
        return [(one.attributes.get("value") or one.attributes.get("datetime"), one.attributes.get("data-currency"), one.text())
                for one in self.all("data", "time")]

    def rows(self):
        """The cells of a table, row by row."""
        return [[cell for cell in row.children if isinstance(cell, Element)] for row in self.all("tr")]

    def by_id(self, identifier):
        return next((one for one in self.every() if one.attributes.get("id") == identifier), None)

    def every(self):
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.every()


class Builder(HTMLParser):
    def __init__(self):
        super().__init__()
        self.root = self.open = Element("", {})

    def handle_starttag(self, name, attributes):
        element = Element(name, dict(attributes), self.open)
        self.open.children.append(element)
        if name not in VOID:
            self.open = element

    def handle_startendtag(self, name, attributes):
        self.open.children.append(Element(name, dict(attributes), self.open))

    def handle_endtag(self, name):
        element = self.open
        while element.name != name and element.parent:
            element = element.parent
        self.open = element.parent or self.open

    def handle_data(self, text):
        self.open.children.append(text)


def read_page(html):
    builder = Builder()
    builder.feed(html)
    return builder.root
