"""Dumps a database of a data folder as SQL that recreates it.

    dump.py DATA/devices.sqlite > devices.sql

The shadow tables of a full-text index are left out: they are rebuilt from the
indexed text.
"""

import re
import sqlite3
import sys


def literal(database, value):
    return database.execute("SELECT quote(?)", [value]).fetchone()[0]


def statements(path):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    schema = database.execute(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        " AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    ).fetchall()
    virtual = {name for _, name, sql in schema if sql.startswith("CREATE VIRTUAL TABLE")}
    shadow = re.compile(rf"({'|'.join(virtual) or '-'})_(data|idx|content|docsize|config)")
    yield "PRAGMA foreign_keys = OFF"
    tables = [row for row in schema if row[0] == "table" and not shadow.fullmatch(row[1])]
    for _, name, sql in tables:
        yield sql
        if "fts5vocab" in sql:
            continue
        if "content = 'exchanges'" in sql:
            yield f"INSERT INTO {name} ({name}) VALUES ('rebuild')"
            continue
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
        listed = ", ".join((["rowid"] if name in virtual else []) + columns)
        for row in database.execute(f"SELECT {listed} FROM {name}"):
            values = ", ".join(literal(database, value) for value in row)
            yield f"INSERT INTO {name} ({listed}) VALUES ({values})"
    for kind, _, sql in schema:
        if kind != "table":
            yield sql


if __name__ == "__main__":
    for statement in statements(sys.argv[1]):
        print(statement + ";")
