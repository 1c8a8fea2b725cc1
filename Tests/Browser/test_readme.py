"""The examples of README.md, run as pasted, and the clients that they use.

curl is told to connect to this foyer instead of the README's ports, and finds its key in the home
folder; the clients have `FOYER_URL` and `FOYER_KEY`. Nothing in an example is replaced.
"""

import os
import re
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import playwright
import pytest
from foyer import MARK, ROOT, Foyer

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.DOTALL | re.MULTILINE)

# Tested elsewhere, or steps of Tests/run itself.
NOT_RUN = {
    "$(command -v sudo) apt-get update": "Tests/run: packages and build",
    "Tests/run": "Tests/run",
    "swift run -c release foyer storyboard": "test_pictures.py",
    "supabase.create_client": "test_supabase.py",
    "connectAuthEmulator": "Tests/Clients/test_pyrebase.py",
    'os.environ["FIREBASE': "Tests/Clients/test_firebase_admin.py",
    "backends: {\n  embedded:": "TableManifestTests",
    "{\n  name: 'Raft'": "test_seventh.py",
}

PLAYWRIGHT = Path(playwright.__file__).parent / "driver"
CHROMIUM = shutil.which("chromium-headless-shell")

# Instead of `playwright install chromium`.
LAUNCH = f"""
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {{"executable_path": {CHROMIUM!r}, "args": ["--no-sandbox"]}}
"""


def examples(*languages):
    return [
        text
        for language, text in BLOCKS
        if language in languages and not text.startswith(tuple(NOT_RUN))
    ]


@pytest.fixture(scope="module")
def readme_foyer():
    server = Foyer("readme")
    yield server
    server.remember_tokens()
    assert server.stop() == 0


@pytest.fixture
def environment(readme_foyer, tmp_path):
    """The environment of someone who has started this foyer with the README's ports."""
    (tmp_path / ".local/share").mkdir(parents=True)
    (tmp_path / ".local/share/foyer").symlink_to(readme_foyer.data)
    ports = {7070: urlsplit(readme_foyer.base).port, 7071: urlsplit(readme_foyer.backend).port}
    (tmp_path / ".curlrc").write_text(
        f'header = "Host: {urlsplit(readme_foyer.base).netloc}"\n'
        + "".join(f'connect-to = "127.0.0.1:{a}:127.0.0.1:{b}"\n' for a, b in ports.items())
    )
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("FOYER_", "PYTEST_"))}
    return {
        **inherited,
        "HOME": str(tmp_path),
        "FOYER_URL": readme_foyer.url,
        "FOYER_KEY": readme_foyer.key,
        "CHROMIUM": CHROMIUM,
    }


def run(*command, folder, environment):
    result = subprocess.run(
        command, cwd=folder, env=environment, text=True, timeout=300, capture_output=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def save_files(texts, folder):
    """Saves the blocks in the files that their first lines name."""
    for text in texts:
        name = re.match(r"(?:#|//) ([\w.]+)", text)[1]
        (folder / name).write_text(text)


def test_every_example_of_the_readme_is_run_or_tested_elsewhere():
    for start in NOT_RUN:
        assert [text for _, text in BLOCKS if text.startswith(start)], start
    assert {language for language, _ in BLOCKS} == {"sh", "python", "ts", "js", "json5"}
    assert (len(examples("sh")), len(examples("python")), len(examples("ts"))) == (7, 2, 1)
    assert examples("js", "json5") == []


def test_the_shell_examples_run_in_one_terminal(readme_foyer, environment, tmp_path):
    foyer = readme_foyer
    foyer.reset()
    foyer.account("you@example.com", MARK, verified=False)
    app = foyer.app("mystica", foyer.devices.create()["id"])
    environment["SESSION"] = app.seed()["session"]

    def log_in_through_the_proxy():
        while not foyer.rules.all():
            foyer.events.wait(kind="rule.changed", after=0)
        request = urllib.request.Request(
            f"{foyer.url}/proxy/main/mystica/auth/login",
            b'{"email": "you@example.com", "password": "wrong"}',
            {"Content-Type": "application/json"},
        )
        try:
            urllib.request.urlopen(request, timeout=90).close()
        except urllib.error.HTTPError as error:
            statuses.append(error.code)

    statuses = []
    thread = threading.Thread(target=log_in_through_the_proxy)
    thread.start()
    script = "echo\necho ---\n".join(examples("sh"))
    output = run("bash", "-euo", "pipefail", "-c", script, folder=tmp_path, environment=environment)
    thread.join()
    mail, test, fault, _, files, lease, backend = output.split("---\n")
    assert "/problems/" not in output
    assert '"to":"you@example.com"' in mail
    assert '"kind":"concurrent"' in test
    assert '"kind":"reset"' in fault
    # The block has continued it with an empty object instead of the credentials.
    assert statuses == [400]
    assert foyer.exchanges.wait(rule="applied")["request"]["body"] == "{}"
    assert files.strip() == ""
    for name in ("foyer.py", "foyer.ts"):
        assert (tmp_path / name).read_bytes() == (ROOT / "Public/clients" / name).read_bytes()
    assert '"offset":61' in lease
    assert '"to":"nora@example.com"' in lease
    assert '"anonKey":' in backend


def test_the_python_example_passes(environment, tmp_path):
    required = re.search(r"needs `pip install ([\w -]+)`", README)[1].split()
    ours = (ROOT / "Tests/Browser/requirements.txt").read_text()
    assert all(f"\n{package}==" in ours for package in required)
    shutil.copy(ROOT / "Public/clients/foyer.py", tmp_path)
    save_files(examples("python"), tmp_path)
    (tmp_path / "launch.py").write_text(LAUNCH)
    environment |= {"PYTHONPATH": str(tmp_path), "PYTEST_PLUGINS": "launch"}
    output = run(sys.executable, "-m", "pytest", "-q", folder=tmp_path, environment=environment)
    assert "1 passed" in output
    assert "warning" not in output


def test_the_typescript_example_and_client_pass(readme_foyer, environment, tmp_path):
    """npm's `@playwright/test` cannot be installed here: `playwright-test` stands in for it."""
    modules = tmp_path / "node_modules"
    (modules / "@playwright").mkdir(parents=True)
    (modules / "@playwright/test").symlink_to(ROOT / "Tests/Browser/playwright-test")
    (modules / "playwright-core").symlink_to(PLAYWRIGHT / "package")
    shutil.copy(ROOT / "Public/clients/foyer.ts", tmp_path)
    shutil.copy(ROOT / "Tests/Browser/playwright-test/client.spec.ts", tmp_path)
    save_files(examples("ts"), tmp_path)
    run(
        *("tsc", "--strict", "--noUnusedLocals", "--noUnusedParameters", "--skipLibCheck"),
        *("--target", "es2022", "--module", "commonjs", "--preserveSymlinks"),
        *("signin.spec.ts", "client.spec.ts"),
        folder=tmp_path,
        environment=environment,
    )
    run(
        *(PLAYWRIGHT / "node", "--preserve-symlinks", "--test"),
        *("signin.spec.js", "client.spec.js"),
        folder=tmp_path,
        environment=environment | {"TEST_WORKER_INDEX": "0"},
    )
    # One test run for all of Playwright's workers, which are processes of one parent.
    name = readme_foyer.request("GET", "/api/apps/mystica/map", query={"run": "last"})["run"][
        "name"
    ]
    assert re.fullmatch(r"playwright \d+", name)
