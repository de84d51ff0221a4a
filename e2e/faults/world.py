"""What a test has to itself: a folder, chance, and names that nothing else has."""

import itertools
import shutil

from place import Place


class World:
    def __init__(self, binary, folder, soak, chance):
        self.binary, self.folder, self.soak, self.chance = binary, folder, soak, chance
        self.numbers = itertools.count(1)
        folder.mkdir()

    def length(self, bounded, soak):
        return soak if self.soak else bounded

    def new_name(self, kind):
        return f"{kind}-{next(self.numbers)}"

    def new_folder(self, kind):
        return self.folder / self.new_name(kind)

    def new_file(self):
        return self.new_folder("ledger").with_suffix(".csv")

    def place(self, name):
        return Place(self.binary, self.folder / name)

    def drop(self, folder):
        shutil.rmtree(folder)

    def mend(self):
        """Nothing is shared between tests."""
