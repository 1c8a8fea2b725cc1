"""How much of the scripts in Public the browser tests run.

With FOYER_COVERAGE set, `conftest.py` follows the first page of every device, and writes
what it ran beside the other results. `python scripts.py` prints the sum, a line a file.
"""

import json
import os
import urllib.parse

from foyer import RESULTS, ROOT

FOLDER = RESULTS / "coverage"
PUBLIC = ROOT / "Public"


def follow(page):
    """Begins to count in a page; None unless asked to."""
    if "FOYER_COVERAGE" not in os.environ:
        return None
    session = page.context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})
    return session


def keep(session):
    """Writes what a page ran, if it is still there."""
    try:
        told = session.send("Profiler.takePreciseCoverage")["result"]
    except Exception:  # A test closed it.
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    with open(FOLDER / f"{worker}.jsonl", "a") as file:
        for script in told:
            name = urllib.parse.urlsplit(script["url"]).path.removeprefix("/assets/")
            if name.endswith(".js") and (PUBLIC / name).is_file():
                ranges = [
                    [one["startOffset"], one["endOffset"], one["count"] > 0]
                    for function in script["functions"]
                    for one in function["ranges"]
                ]
                file.write(json.dumps([name, ranges]) + "\n")


def ran(ranges):
    """Which characters were run: an inner range says more than the one around it."""
    marks = bytearray(max(end for _, end, _ in ranges))
    for start, end, was_run in sorted(ranges, key=lambda one: (one[0], -one[1])):
        marks[start:end] = bytes([was_run]) * (end - start)
    return int.from_bytes(marks, "little")


def main():
    sums = {}
    for file in FOLDER.glob("*.jsonl"):
        for line in file.read_text().splitlines():
            name, ranges = json.loads(line)
            sums[name] = sums.get(name, 0) | ran(ranges)
    print(f"{'script':<32}{'run':>8}")
    for path in sorted(PUBLIC.rglob("*.js")):
        name = str(path.relative_to(PUBLIC))
        share = sums.get(name, 0).bit_count() / len(path.read_text())
        print(f"{name:<32}{share:>8.1%}")


if __name__ == "__main__":
    main()
