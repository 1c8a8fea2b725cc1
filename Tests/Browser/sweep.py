"""Looks for passwords and whole tokens in everything a run left behind.

    sweep.py Tests/.results

Every log, every database (its rows and its raw bytes, so that freed pages
count too) and every recorded exchange. Exits with 1 and says where, never
what.
"""

import base64
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

from foyer import MARK

# Three parts in base64url, the first of which begins as an object does.
THREE_PARTS = re.compile(rb"(eyJ[A-Za-z0-9_-]{8,})\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}")

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
        yield coded[{0: 0, 1: 2, 2: 3}[shift] : len(coded) // 4 * 4 - 4]


def holds_jwt(data):
    """Whether a whole JWT lies in the bytes: one whose header can be read.

    A sealed value has an empty second part, but ends in three parts of noise,
    and noise begins with the letters of an object now and then.
    """
    at = data.find(b"eyJ")
    while at >= 0:
        # A match may begin within another.
        if match := THREE_PARTS.match(data, at):
            header = match[1] + b"=" * (-len(match[1]) % 4)
            try:
                json.loads(base64.urlsafe_b64decode(header))
                return True
            except ValueError:
                pass
        at = data.find(b"eyJ", at + 1)
    return False


def rows(path):
    """Every table of a database: its name, and all its values, one a line."""
    # Opened to write: what a killed process left in the log is read too.
    database = sqlite3.connect(path)
    database.text_factory = bytes
    try:
        tables = database.execute("select name from sqlite_master where type = 'table'").fetchall()
        for (name,) in tables:
            table = name.decode()
            values = []
            try:
                for row in database.execute(f'select * from "{table}"'):
                    values += [v for v in row if isinstance(v, bytes)]
            except sqlite3.DatabaseError:
                pass  # A virtual table's inside, or what is left of a table.
            yield table, values
    except sqlite3.DatabaseError:
        pass  # Cut off by a full disk; its bytes are looked at.
    finally:
        database.close()


def holding(needles, files):
    """Those of the files that hold one of the needles."""
    with tempfile.NamedTemporaryFile() as wanted:
        wanted.write(b"\n".join(needles))
        wanted.flush()
        found = subprocess.run(
            ["xargs", "-0", "grep", "-laFZ", "-f", wanted.name, "--", "/dev/null"],
            input=b"".join(bytes(file) + b"\0" for file in files),
            env={**os.environ, "LC_ALL": "C"},
            stdout=subprocess.PIPE,
        )
    # grep ends with 1 when there is none, and xargs then with 123.
    if found.returncode not in (0, 123):
        raise RuntimeError(f"grep ended with {found.returncode}")
    return [Path(os.fsdecode(name)) for name in found.stdout.split(b"\0")[:-1]]


def search(needles, places):
    """How many places there are, how many hold an address, what is found."""
    addresses, found = 0, set()
    for file, place in places.items():
        data = file.read_bytes()
        addresses += b"@example.com" in data
        # The suites' log names its cases, examples of RFCs among them.
        if not file.name.startswith("swift-") and holds_jwt(data):
            found.add(f"{place}: a whole JWT")
    for file in holding(needles, places):
        data = file.read_bytes()
        needle = next(needle for needle in needles if needle in data)
        what = "a password" if len(needle) < 40 else "a token"
        found.add(f"{places[file]}: {what}")
    return len(places), addresses, found


def main(results):
    tokens = set()
    for file in results.rglob("tokens.json"):
        tokens.update(json.loads(file.read_text()))
    needles = {f for f in encodings(MARK) if len(f) > 5}
    for token in tokens:
        if len(token) >= 16:
            needles.update(f for f in encodings(token) if len(f) > 15)
    files = {
        file: str(file)
        for file in sorted(results.rglob("*"))
        if file.is_file() and file.name not in OURS and file.suffix != ".png"
    }
    databases = [file for file in files if file.suffix == ".sqlite"]
    looked, addresses, found = search(needles, files)
    # Only now: opening a database takes its log away.
    with tempfile.TemporaryDirectory() as folder:
        dumps = {}
        for path in databases:
            for table, values in rows(path):
                looked += len(values)
                dump = Path(folder, str(len(dumps)))
                dump.write_bytes(b"\n".join(values))
                dumps[dump] = f"{path} table {table}"
        _, more, told = search(needles, dumps)
        addresses, found = addresses + more, found | told
    print(f"looked at {looked} files and values for {len(tokens)} tokens and every password typed")
    for line in sorted(found):
        print("FOUND", line)
    # What is recorded openly must be found, or the search is blind.
    if not databases or not tokens or not addresses:
        print("FOUND nothing to look at: no database, token or address")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
