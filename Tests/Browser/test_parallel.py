"""The project in `parallel`, played by several workers against one foyer."""

import os
import subprocess
import sys
from pathlib import Path

# As many as one leases for in a build farm; fewer show it for every change.
WORKERS = 16 if os.environ.get("FOYER_ALL") else 3


def test_many_workers_do_not_disturb_each_other(fresh_foyer):
    project = Path(__file__).parent / "parallel"
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "FOYER_"))}
    played = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-n",
            str(WORKERS),
            "--dist",
            "each",
            str(project),
        ],
        env={**kept, "FOYER": fresh_foyer.base, "FOYER_KEY": fresh_foyer.key},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert f"{WORKERS * 3} passed" in played.stdout
    # Every lease was given back.
    assert fresh_foyer.api("GET", "/api/workspaces")["total"] == 1
