"""Searches for passwords and unmasked tokens in all results of a run.

    sweep.py Tests/.results

It reads every log, every database (its rows and its raw bytes, so that freed pages count too) and
every recorded exchange. Exits with 1 and prints where a secret was found, never the secret.
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

# Files that contain tokens on purpose: the list for this search, and the logs in which the Swift
# suites print their arguments, among them the RFCs' published examples.
SKIPPED_FILES = {"tokens.json", "swift-sockets.log", "swift-others.log"}


def encodings(text):
    """The encodings in which a secret could appear."""
    raw = text.encode()
    yield raw
    yield urllib.parse.quote(text, safe="").encode()
    yield json.dumps(text)[1:-1].encode()
    yield raw.hex().encode()
    yield raw.hex().upper().encode()
    for shift in range(3):
        # Cut off the characters that depend on adjacent bytes in a longer base64 text.
        encoded = base64.b64encode(b"\0" * shift + raw)
        yield encoded[{0: 0, 1: 2, 2: 3}[shift] : len(encoded) // 4 * 4 - 4]


def contains_jwt(data):
    """Whether the bytes contain a complete JWT: one whose header can be decoded.

    A sealed value has an empty second part, but ends in three random parts, and random data
    sometimes begins with the letters of an encoded object.
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
    """Every table of a database: its name and all its values."""
    # Opened for writing, so that the write-ahead log of a killed process is read too.
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
                pass  # A virtual table's internal table, or a damaged one.
            yield table, values
    except sqlite3.DatabaseError:
        pass  # Truncated by a full disk; its bytes are searched.
    finally:
        database.close()


def files_containing(needles, files):
    """The files that contain one of the needles."""
    with tempfile.NamedTemporaryFile() as patterns:
        patterns.write(b"\n".join(needles))
        patterns.flush()
        found = subprocess.run(
            ["xargs", "-0", "grep", "-laFZ", "-f", patterns.name, "--", "/dev/null"],
            input=b"".join(bytes(file) + b"\0" for file in files),
            env={**os.environ, "LC_ALL": "C"},
            stdout=subprocess.PIPE,
        )
    # grep exits with 1 when nothing matches, and xargs then with 123.
    if found.returncode not in (0, 123):
        raise RuntimeError(f"grep ended with {found.returncode}")
    return [Path(os.fsdecode(name)) for name in found.stdout.split(b"\0")[:-1]]


def search(needles, labels):
    """The number of files, the number of files with an email address, and the findings."""
    addresses, found = 0, set()
    for file, label in labels.items():
        data = file.read_bytes()
        addresses += b"@example.com" in data
        # The suites' logs print test arguments, among them examples of RFCs.
        if not file.name.startswith("swift-") and contains_jwt(data):
            found.add(f"{label}: a whole JWT")
    for file in files_containing(needles, labels):
        data = file.read_bytes()
        needle = next(needle for needle in needles if needle in data)
        kind = "a password" if len(needle) < 40 else "a token"
        found.add(f"{labels[file]}: {kind}")
    return len(labels), addresses, found


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
        if file.is_file() and file.name not in SKIPPED_FILES and file.suffix != ".png"
    }
    databases = [file for file in files if file.suffix == ".sqlite"]
    count, addresses, found = search(needles, files)
    # After the search of the files: opening a database removes its write-ahead log.
    with tempfile.TemporaryDirectory() as folder:
        dumps = {}
        for path in databases:
            for table, values in rows(path):
                count += len(values)
                dump = Path(folder, str(len(dumps)))
                dump.write_bytes(b"\n".join(values))
                dumps[dump] = f"{path} table {table}"
        _, more, more_findings = search(needles, dumps)
        addresses, found = addresses + more, found | more_findings
    print(f"looked at {count} files and values for {len(tokens)} tokens and every password typed")
    for line in sorted(found):
        print("FOUND", line)
    # Email addresses are recorded unmasked: if none is found, the search does not work.
    if not databases or not tokens or not addresses:
        print("FOUND nothing to look at: no database, token or address")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
