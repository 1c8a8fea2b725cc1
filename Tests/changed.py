"""Selects the tests that a change affects.

    changed.py [REV]

The change is the difference from REV (default HEAD), including new files. Prints two lines: a
regular expression of Swift test targets, and the files of browser tests. A line is empty if no
test is affected.
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


def changed_files(revision):
    names = output("git", "diff", "--name-only", revision)
    new = output("git", "ls-files", "--others", "--exclude-standard")
    return sorted({*names.splitlines(), *new.splitlines()})


def package():
    """Returns every target with its folder, its kind and its dependencies."""
    description = json.loads(output("swift", "package", "dump-package"))
    return {
        target["name"]: {
            "folder": target.get("path")
            or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"],
            "isTest": target["type"] == "test",
            "dependencies": {next(iter(one.values()))[0] for one in target["dependencies"]},
        }
        for target in description["targets"]
    }


def swift_targets(files, targets):
    """Returns the test targets that changed, or that depend on a changed target."""
    affected = {
        name
        for name, target in targets.items()
        if any(file.startswith(target["folder"] + "/") for file in files)
    }
    if "Package.swift" in files:
        affected = set(targets)
    # The console's tests read pages and apps, the journeys start the executable, and the
    # architecture tests read all sources.
    if any(file.startswith(("templates/", "Public/")) for file in files):
        affected.add("Console")
    if any(file.startswith("Sources/") for file in files):
        affected.add("Journeys")
    while more := {
        name
        for name, target in targets.items()
        if name not in affected and target["dependencies"] & affected
    }:
        affected |= more
    tests = {name for name in affected if targets[name]["isTest"]}
    return tests | {"ArchitectureTests"} if files else tests


def browser_files(files):
    """Returns the affected browser tests: those of one app, if only that app changed."""
    tests = {file.stem: file for file in BROWSER.glob("test_*.py")}
    sources = {file.stem: file.read_text() for file in BROWSER.glob("*.py")}
    affected, everything = set(), False
    for file in files:
        path = Path(file)
        app = re.match(r"(?:templates|Public)/apps/(\w+)/", file)
        if app and any(name.startswith(f"test_{app[1]}_") for name in tests):
            affected |= {
                name
                for name in tests
                if name.startswith((f"test_{app[1]}_", "test_states", "test_tiles", "test_text"))
            }
        elif path.parent == BROWSER.relative_to(ROOT) and path.suffix == ".py":
            affected.add(path.stem)
            everything |= path.stem in ("conftest", "foyer")
        elif file == "README.md":
            affected |= {name for name, text in sources.items() if file in text}
        else:
            everything |= file.startswith(("Sources/", "templates/", "Public/", "Package.swift"))
    while more := {
        name
        for name, text in sources.items()
        if name not in affected
        and any(re.search(rf"^(import|from) {one}\b", text, re.M) for one in affected)
    }:
        affected |= more
    chosen = tests if everything else affected & set(tests)
    return sorted(str(tests[name].relative_to(ROOT)) for name in chosen)


if __name__ == "__main__":
    files = changed_files(sys.argv[1] if len(sys.argv) > 1 else "HEAD")
    suites = swift_targets(files, package()) if files else set()
    print("|".join(rf"^{name}\." for name in sorted(suites)))
    print(" ".join(browser_files(files)))
