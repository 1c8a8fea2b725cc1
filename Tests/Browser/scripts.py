"""The coverage of the scripts in Public by the browser tests.

With FOYER_COVERAGE set, `conftest.py` measures the first page of every device, and writes its
coverage to the results. `python scripts.py` prints the total, one line per file.
"""

import json
import os
import urllib.parse

from foyer import RESULTS, ROOT

FOLDER = RESULTS / "coverage"
PUBLIC = ROOT / "Public"


def start(page):
    """Starts measuring a page; None without FOYER_COVERAGE."""
    if "FOYER_COVERAGE" not in os.environ:
        return None
    session = page.context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})
    return session


def write(session):
    """Writes the coverage of a page, if the page still exists."""
    try:
        coverage = session.send("Profiler.takePreciseCoverage")["result"]
    except Exception:  # A test closed it.
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    with open(FOLDER / f"{worker}.jsonl", "a") as file:
        for script in coverage:
            name = urllib.parse.urlsplit(script["url"]).path.removeprefix("/assets/")
            if name.endswith(".js") and (PUBLIC / name).is_file():
                ranges = [
                    [range_["startOffset"], range_["endOffset"], range_["count"] > 0]
                    for function in script["functions"]
                    for range_ in function["ranges"]
                ]
                file.write(json.dumps([name, ranges]) + "\n")


def executed(ranges):
    """The characters that were run, as bits: an inner range overrides the one around it."""
    marks = bytearray(max(end for _, end, _ in ranges))
    for start, end, is_run in sorted(ranges, key=lambda range_: (range_[0], -range_[1])):
        marks[start:end] = bytes([is_run]) * (end - start)
    return int.from_bytes(marks, "little")


def main():
    sums = {}
    for file in FOLDER.glob("*.jsonl"):
        for line in file.read_text().splitlines():
            name, ranges = json.loads(line)
            sums[name] = sums.get(name, 0) | executed(ranges)
    print(f"{'script':<32}{'run':>8}")
    for path in sorted(PUBLIC.rglob("*.js")):
        name = str(path.relative_to(PUBLIC))
        share = sums.get(name, 0).bit_count() / len(path.read_text())
        print(f"{name:<32}{share:>8.1%}")


if __name__ == "__main__":
    main()
