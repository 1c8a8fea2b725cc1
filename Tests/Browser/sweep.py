"""Looks for passwords and whole tokens in everything a run left behind.

    sweep.py Tests/.results

Every log, every database (its rows and its raw bytes, so that freed pages
count too) and every recorded exchange. Exits with 1 and says where, never
what.
"""

import base64
import json
import re
import sqlite3
import sys
import urllib.parse
from pathlib import Path

from foyer import MARK

# Three parts in base64url, the first of which begins as an object does. A
# match may begin within another.
THREE_PARTS = re.compile(
    rb"(?=(eyJ[A-Za-z0-9_-]{8,})\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,})")

# Where tokens are meant to lie open: for the search itself, and where the
# Swift suites name their arguments, the RFCs' published examples among them.
OURS = {"tokens.json", "swift-sockets.log", "swift-others.log"}


def encodings(text):
    """The forms in which a secret could have slipped through."""
    raw = text.encode()
    yield raw
    yield urllib.parse.quote(text, safe="").encode()
    yield json.dumps(text)[1:-1].encode()
    yield raw.hex().encode()
    yield raw.hex().upper().encode()
    for shift in range(3):
        # Cut off what depends on the neighbours in a longer base64 text.
        coded = base64.b64encode(b"\0" * shift + raw)
        yield coded[{0: 0, 1: 2, 2: 3}[shift]:len(coded) // 4 * 4 - 4]


def holds_jwt(data):
    """Whether a whole JWT lies in the bytes: one whose header can be read.

    A sealed value has an empty second part, but ends in three parts of noise,
    and noise begins with the letters of an object now and then.
    """
    for match in THREE_PARTS.finditer(data):
        header = match[1] + b"=" * (-len(match[1]) % 4)
        try:
            json.loads(base64.urlsafe_b64decode(header))
        except ValueError:
            continue
        return True
    return False


def contents(path):
    """Pairs of a place and the bytes that lie there."""
    yield str(path), path.read_bytes()
    if path.suffix != ".sqlite":
        return
    # Opened to write: what a killed process left in the log is read too.
    database = sqlite3.connect(path)
    database.text_factory = bytes
    try:
        tables = database.execute(
            "select name from sqlite_master where type = 'table'").fetchall()
        for (name,) in tables:
            table = name.decode()
            try:
                rows = database.execute(f'select * from "{table}"')
                for row in rows:
                    for value in row:
                        if isinstance(value, bytes):
                            yield f"{path} table {table}", value
            except sqlite3.DatabaseError:
                continue  # A virtual table's inside.
    except sqlite3.DatabaseError:
        pass  # Cut off by a full disk; its bytes were looked at.
    finally:
        database.close()


def main(results):
    tokens = set()
    for file in results.rglob("tokens.json"):
        tokens.update(json.loads(file.read_text()))
    needles = {f for f in encodings(MARK) if len(f) > 5}
    for token in tokens:
        if len(token) >= 16:
            needles.update(f for f in encodings(token) if len(f) > 15)
    found, looked, addresses = set(), 0, 0
    for path in sorted(results.rglob("*")):
        if not path.is_file() or path.name in OURS:
            continue
        if path.suffix == ".png":
            continue
        for place, data in contents(path):
            looked += 1
            addresses += b"@example.com" in data
            # The suites' log names its cases, examples of RFCs among them.
            if not path.name.startswith("swift-") and holds_jwt(data):
                found.add(f"{place}: a whole JWT")
            for needle in needles:
                if needle in data:
                    what = "a password" if len(needle) < 40 else "a token"
                    found.add(f"{place}: {what}")
                    break
    print(f"looked at {looked} files and values for {len(tokens)} tokens "
          "and every password typed")
    for line in sorted(found):
        print("FOUND", line)
    databases = list(results.rglob("*.sqlite"))
    # What is recorded openly must be found, or the search is blind.
    if not databases or not tokens or not addresses:
        print("FOUND nothing to look at: no database, token or address")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
