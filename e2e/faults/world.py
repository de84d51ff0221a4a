"""A test's own environment: a folder, a random generator, and unique names."""

import itertools
import shutil

from instance import Instance


class World:
    def __init__(self, binary, folder, soak, rng):
        self.binary, self.folder, self.soak, self.rng = binary, folder, soak, rng
        self.numbers = itertools.count(1)
        folder.mkdir()

    def length(self, short, soak):
        return soak if self.soak else short

    def new_name(self, kind):
        return f"{kind}-{next(self.numbers)}"

    def new_folder(self, kind):
        return self.folder / self.new_name(kind)

    def new_file(self):
        return self.new_folder("ledger").with_suffix(".csv")

    def instance(self, name):
        return Instance(self.binary, self.folder / name)

    def drop(self, folder):
        shutil.rmtree(folder)

    def repair(self):
        """Nothing to do: tests share nothing."""
