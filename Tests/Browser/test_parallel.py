"""Runs the project in `parallel` with several workers against one foyer."""

import os
import subprocess
import sys
from pathlib import Path

from foyer import ROOT

# As many as a build farm uses; a few are enough for every change.
WORKERS = 16 if os.environ.get("FOYER_ALL") else 2


def test_parallel_workers_do_not_affect_each_other(fresh_foyer):
    project = Path(__file__).parent / "parallel"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "FOYER_"))}
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            # Without the fixtures of this folder.
            "--confcutdir",
            str(project),
            "-n",
            str(WORKERS),
            "--dist",
            "each",
            str(project),
        ],
        env={
            **environment,
            "PYTHONPATH": str(ROOT / "Public/clients"),
            "FOYER_URL": fresh_foyer.base,
            "FOYER_KEY": fresh_foyer.key,
        },
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{WORKERS * 3} passed" in result.stdout
    # Every lease has ended.
    assert len(fresh_foyer.items("/api/workspaces")) == 1
