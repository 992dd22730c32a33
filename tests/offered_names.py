"""A contract for import-linter: from another room a module imports only what that room's __init__.py offers."""

import ast
from pathlib import Path
from typing import Any

from importlinter import Contract, ContractCheck, fields, output


class OfferedNames(Contract):
    """Check every import from one room into another; `rooms` are packages below the root package.

    A room's ``__init__.py`` offers the names in its ``__all__``. The line of the import decides, because a file named
    after its function has the same dotted name as the function that the room offers. Modules in
    `need_optional_packages` are imported from directly, so that their rooms stay importable without those packages.
    """

    rooms: Any = fields.ListField(subfield=fields.StringField())
    need_optional_packages: Any = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """Look at the line of every import."""
        root = self.session_options["root_packages"][0]
        rooms = [f"{root}.{room}" for room in self.rooms]
        offered = {room: offered_names(room) for room in rooms}
        wrong = []
        for importer in sorted(graph.modules):
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                room = room_of(imported, rooms)
                direct = imported.removeprefix(f"{root}.") in self.need_optional_packages
                if room is None or direct or room_of(importer, rooms) == room:
                    continue
                for detail in graph.get_import_details(importer=importer, imported=imported):
                    line = detail["line_contents"]
                    if not is_offered(line, room, imported, offered[room]):
                        wrong.append(f"{importer} (line {detail['line_number']}): {line}")
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that break the contract."""
        for line in check.metadata["wrong"]:
            output.print_error(f"not offered by the room's __init__.py: {line}")


def offered_names(room: str) -> set[str]:
    """Return the names in the ``__all__`` of a package."""
    tree = ast.parse(Path(*room.split("."), "__init__.py").read_text(encoding="utf-8"))
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return set(ast.literal_eval(statement.value))
    return set()


def room_of(module: str, rooms: list[str]) -> str | None:
    """Return the innermost room that holds a module."""
    holding = [room for room in rooms if module == room or module.startswith(f"{room}.")]
    return max(holding, key=len, default=None)


def is_offered(line: str, room: str, imported: str, offered: set[str]) -> bool:
    """Return whether an import takes only offered names, from the room or from the file that has the name."""
    if imported == room:
        return True  # Python itself checks the names
    source, _, names = line.removeprefix("from ").partition(" import ")
    if source == room:
        return imported.rpartition(".")[2] in offered
    return source == imported and {name.strip().split(" ")[0] for name in names.split(",")} <= offered
