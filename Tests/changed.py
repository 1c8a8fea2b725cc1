"""Which tests a change can break.

    changed.py [REV]

What differs from REV, HEAD if none is given, new files included. Prints two
lines: a regular expression of Swift test targets, and files of browser tests.
Either is empty when none is concerned.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BROWSER = ROOT / "Tests/Browser"


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout


def changed(revision):
    names = output("git", "diff", "--name-only", revision)
    new = output("git", "ls-files", "--others", "--exclude-standard")
    return sorted({*names.splitlines(), *new.splitlines()})


def package():
    """Every target with its folder, its kind and what it is built from."""
    told = json.loads(output("swift", "package", "dump-package"))
    return {
        target["name"]: {
            "folder": target.get("path")
            or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"],
            "isTest": target["type"] == "test",
            "below": {
                name for one in target["dependencies"] for name in [next(iter(one.values()))[0]]
            },
        }
        for target in told["targets"]
    }


def swift_targets(files, targets):
    """The test targets that are, or are built from, what changed."""
    hit = {
        name
        for name, target in targets.items()
        if any(file.startswith(target["folder"] + "/") for file in files)
    }
    if "Package.swift" in files:
        hit = set(targets)
    # Pages and apps are read by the console's tests, journeys start the whole,
    # and the rules of the sources read everything.
    if any(file.startswith(("templates/", "Public/")) for file in files):
        hit.add("Console")
    if any(file.startswith("Sources/") for file in files):
        hit.add("Journeys")
    while more := {
        name for name, target in targets.items() if name not in hit and target["below"] & hit
    }:
        hit |= more
    tests = {name for name in hit if targets[name]["isTest"]}
    return tests | {"ArchitectureTests"} if files else tests


def browser_files(files):
    """The browser tests of what changed: of one app, if it is one app's."""
    tests = {file.stem: file for file in BROWSER.glob("test_*.py")}
    sources = {file.stem: file.read_text() for file in BROWSER.glob("*.py")}
    hit, everything = set(), False
    for file in files:
        path = Path(file)
        app = re.match(r"(?:templates|Public)/apps/(\w+)/", file)
        if app and any(name.startswith(f"test_{app[1]}_") for name in tests):
            hit |= {
                name
                for name in tests
                if name.startswith((f"test_{app[1]}_", "test_states", "test_tiles", "test_text"))
            }
        elif path.parent == BROWSER.relative_to(ROOT) and path.suffix == ".py":
            hit.add(path.stem)
            everything |= path.stem in ("conftest", "foyer")
        else:
            everything |= file.startswith(("Sources/", "templates/", "Public/", "Package.swift"))
    while more := {
        name
        for name, text in sources.items()
        if name not in hit and any(re.search(rf"^(import|from) {one}\b", text, re.M) for one in hit)
    }:
        hit |= more
    chosen = tests if everything else hit & set(tests)
    return sorted(str(tests[name].relative_to(ROOT)) for name in chosen)


if __name__ == "__main__":
    files = changed(sys.argv[1] if len(sys.argv) > 1 else "HEAD")
    suites = swift_targets(files, package()) if files else set()
    print("|".join(rf"^{name}\." for name in sorted(suites)))
    print(" ".join(browser_files(files)))
