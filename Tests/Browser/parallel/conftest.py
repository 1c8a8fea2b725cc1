"""Fixtures to copy into other projects, beside the file http://127.0.0.1:7070/clients/foyer.py."""

import shutil

import pytest
from playwright.sync_api import expect

pytest_plugins = ["foyer"]

# Sixteen browsers on a small machine are slow.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def browser_type_launch_args():
    """Debian's Chromium, instead of the one that `playwright install chromium` downloads."""
    executable = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    return {"executable_path": executable, "args": ["--no-sandbox", "--disable-gpu"]}


@pytest.fixture
def foyer_page(foyer_page):
    foyer_page.context.set_default_timeout(60_000)
    return foyer_page
