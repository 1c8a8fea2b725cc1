"""The clients in Public/clients: every method, against a running foyer.

test_readme.py tests their fixtures, and that the TypeScript one compiles.
"""

import inspect
import os
import re
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from clients import foyer as client
from foyer import ROOT

TYPESCRIPT = (ROOT / "Public/clients/foyer.ts").read_text()

# The types that have another name in the API.
API_NAMES = {"ClockState": "Clock", "Paused": "PausedExchange"}
TYPES = [value for _, value in inspect.getmembers(client, inspect.isclass)]


@pytest.fixture
def workspace(foyer):
    with foyer.lease({"app": "mystica", "state": "signedIn", "accessTokenTTL": 60}) as workspace:
        yield workspace


@pytest.fixture
def app(workspace):
    return workspace.app("mystica")


def test_a_lease_is_deleted_at_the_end_of_its_block(foyer):
    with foyer.lease(ttl=60) as workspace:
        workspace.extend(120)
        assert workspace.id in [one["id"] for one in foyer.items("/api/workspaces")]
        with pytest.raises(ValueError, match="no user"):
            workspace.user  # noqa: B018
    assert workspace.id not in [one["id"] for one in foyer.items("/api/workspaces")]
    workspace.delete()  # No error.


def test_all_leases_of_a_process_are_one_test_run(foyer, monkeypatch):
    monkeypatch.delenv("PYTEST_XDIST_TESTRUNUID", raising=False)
    with foyer.lease() as first, foyer.lease() as second:
        assert first.run == second.run
    monkeypatch.setenv("PYTEST_XDIST_TESTRUNUID", "ofAllWorkers")
    with foyer.lease() as worker:
        assert worker.run != first.run
    monkeypatch.setenv("FOYER_RUN", "nightly")
    with foyer.lease() as named, foyer.lease(run="another") as other:
        assert len({worker.run, named.run, other.run}) == 3


def test_the_clock_and_a_session(workspace, app):
    session = workspace.session
    assert workspace.clock.advance(61)["offset"] == 61
    assert workspace.clock.freeze()["frozen"]
    assert not workspace.clock.resume()["frozen"]
    assert workspace.sessions.wait(session, "expired")["state"] == "expired"
    assert workspace.sessions.refresh(session)["refreshCount"] == 1
    assert workspace.clock.set_offset(0)["offset"] == 0
    assert workspace.clock.set_time("2030-01-01T00:00:00Z")["now"].startswith("2030-01-01")
    assert workspace.clock.read()["note"] is None
    workspace.clock.set_offset(0)
    assert workspace.sessions.test_refresh(session, "replay", generation=1)["requests"]
    # The reuse has revoked the session.
    assert workspace.sessions.wait(session)["state"] == "revoked"
    assert workspace.sessions.get(session)["family"]["revokedAt"]
    app.storage.clear()
    signed_in = app.seed(state="signedIn")["session"]
    assert [one["id"] for one in workspace.sessions.all(state="active")] == [signed_in]
    workspace.sessions.sign_out(signed_in)
    assert workspace.sessions.wait(signed_in)["state"] == "signedOut"
    assert workspace.sessions.sign_out_all()["signedOut"] == 0


def test_an_app_on_a_device(workspace, app):
    assert app.relaunch()["screen"] == "map"
    assert app.force_quit()["session"]["id"] == workspace.session
    assert app.crash_during_next_request()["crashesOnNextRequest"]
    assert not app.crash_during_next_request(False)["crashesOnNextRequest"]
    assert app.expire_access_token()["session"]["state"] == "expired"
    key = next(item["key"] for item in app.state()["storage"] if "refresh" in item["key"].lower())
    token = app.storage.get(key)
    second = workspace.devices.create(label="Second")
    copy = workspace.app("mystica", second["id"])
    copy.copy_from(workspace.device)
    assert copy.storage.get(key) == token
    copy.storage.set(key, "another")
    assert copy.storage.get(key) == "another"
    copy.storage.delete(key)
    with pytest.raises(client.FoyerError, match="404"):
        copy.storage.get(key)
    assert copy.select_backend(copy.state()["backend"])["device"] == second["id"]
    assert workspace.devices.update(second["id"], appearance="dark")["appearance"] == "dark"
    assert workspace.devices.get(second["id"])["label"] == "Second"
    workspace.devices.delete(second["id"])
    assert [device["id"] for device in workspace.devices.all()] == [workspace.device]
    with pytest.raises(ValueError, match="Name the device"):
        client.Foyer(workspace.url).app("mystica")


def test_mail_and_accounts(workspace):
    register = urllib.request.Request(
        workspace.backend_base["mystica"] + "/api/v1/auth/register",
        b'{"email": "nora@example.com", "password": "eight characters"}',
        {"Content-Type": "application/json"},
    )
    urllib.request.urlopen(register, timeout=30).close()
    account = workspace.accounts.all(q="nora")[0]
    assert account["state"] == "unverified"
    mail = workspace.mailbox.wait("nora@example.com", app="mystica", purpose="verify")
    assert workspace.mailbox.get(mail["id"])["link"] == mail["link"]
    assert [one["id"] for one in workspace.mailbox.all(to="nora@example.com")] == [mail["id"]]
    urllib.request.urlopen(mail["link"], timeout=30).close()
    assert workspace.accounts.get(account["id"])["state"] == "verified"
    assert workspace.accounts.create("mystica", email="nils@example.com")["password"]
    assert workspace.accounts.update(account["id"], disabled=True)["state"] == "disabled"
    workspace.accounts.delete(account["id"])
    assert account["id"] not in [one["id"] for one in workspace.accounts.all(app="mystica")]
    workspace.mailbox.delete(mail["id"])
    workspace.mailbox.clear()
    assert workspace.mailbox.all() == []


def test_exchanges_faults_and_rules(workspace):
    sent = workspace.exchanges.send(
        "mystica", "/auth/me", useAccessToken=True, device=workspace.device
    )
    assert workspace.exchanges.get(sent["id"])["status"] == 200
    assert workspace.exchanges.wait(path="/auth/me", status="200")["id"] == sent["id"]
    fault = workspace.faults.add("status", status=503, times=1)
    assert [one["id"] for one in workspace.faults.all()] == [fault["id"]]
    assert workspace.exchanges.send("mystica", "/auth/me")["status"] == 503
    assert len(workspace.exchanges.all(fault="applied")) == 1
    preset = workspace.faults.presets()[0]["id"]
    workspace.faults.remove(workspace.faults.add_preset(preset, app="mystica")[0]["id"])
    workspace.faults.clear(preset)
    workspace.faults.clear()
    rule = workspace.rules.respond({"status": 418, "body": "tea"}, path="/auth/me")
    assert workspace.exchanges.send("mystica", "/auth/me")["status"] == 418
    workspace.rules.remove(rule["id"])
    workspace.rules.pause_requests(path="/auth/login", method="POST")
    workspace.rules.pause_responses(path="/auth/me")
    assert len(workspace.rules.all()) == 2
    with ThreadPoolExecutor() as threads:
        login = threads.submit(workspace.exchanges.send, "mystica", "/auth/login", method="POST")
        paused = workspace.rules.wait(phase="request")
        assert [one["exchange"] for one in workspace.rules.paused()] == [paused["exchange"]]
        workspace.rules.continue_(paused["exchange"], body="{}")
        assert login.result()["request"]["body"] == "{}"
        me = threads.submit(workspace.exchanges.send, "mystica", "/auth/me")
        workspace.rules.abort(workspace.rules.wait(phase="response")["exchange"])
        assert me.result()["failure"]["kind"]
    workspace.rules.clear()
    workspace.exchanges.delete(sent["id"])
    workspace.exchanges.clear(path="/auth/me")
    assert workspace.exchanges.all(path="/auth/me") == []


def test_snapshots_events_and_a_reset(workspace, app):
    snapshot = workspace.snapshots.take("signed in", app="mystica")
    before = workspace.events.all()[-1]
    app.storage.clear()
    event = workspace.events.wait(after=before["id"], kind="storage.deleted", app="mystica")
    assert event["device"] == workspace.device
    assert workspace.snapshots.restore(snapshot["id"])
    assert app.state()["session"]["id"] == workspace.session
    assert workspace.events.restore(event["id"])["event"] == event["id"]
    assert [one["name"] for one in workspace.snapshots.all()] == ["signed in"]
    workspace.snapshots.delete(snapshot["id"])
    workspace.reset()
    assert workspace.sessions.all() == []


def test_errors_say_what_is_wrong(workspace):
    with pytest.raises(client.FoyerError) as unknown:
        workspace.sessions.get("ses_none")
    assert (unknown.value.status, unknown.value.title) == (404, "Unknown session")
    with pytest.raises(client.FoyerError, match="valid values: offline") as invalid:
        workspace.faults.add("rain")
    assert [error["pointer"] for error in invalid.value.errors] == ["/kind"]
    with pytest.raises(client.WaitTimeout, match="nobody@example.com"):
        workspace.mailbox.wait("nobody@example.com", timeout=0)
    with pytest.raises(ConnectionError, match="does not respond at http://127.0.0.1:1"):
        client.Foyer("http://127.0.0.1:1").clock.read()


def test_lists_have_all_pages(foyer):
    with foyer.lease() as workspace:
        body = {"app": "mystica", "count": 120, "password": "eight characters"}
        workspace.request("POST", "/api/accounts", body)
        assert len(workspace.accounts.all()) == 120


def test_the_types_have_fields_of_the_api(foyer):
    schemas = foyer.request("GET", "/api/openapi.json")["components"]["schemas"]
    compared = 0
    for kind in TYPES:
        schema = schemas.get(API_NAMES.get(kind.__name__, kind.__name__))
        if hasattr(kind, "__required_keys__") and schema:
            assert set(kind.__annotations__) <= set(schema["properties"]), kind.__name__
            compared += 1
    assert compared >= 15


def test_the_typescript_client_has_the_same_paths_methods_and_types():
    def paths(source):
        return {
            re.sub(r"\$?\{[^}]*\}", "{}", path) for path in re.findall(r"/api/[^\s\"'`]+", source)
        }

    def declaration(name):
        """Until the bracket at the beginning of a line, or on the first line; with its base."""
        kind = rf"^export interface {name}|^(?:export )?class {name}"
        text = re.search(rf"(?:{kind}) (?:[^\n]*\}}$|.*?^\}})", TYPESCRIPT, re.M | re.S)[0]
        base = re.search(r"interface \w+ extends (\w+)", text)
        return text + (declaration(base[1]) if base else "")

    def member(name):
        """`sign_out` is `signOut(`, `continue_` is `continue(`, and fields have no underscores."""
        return re.sub(r"_(\w)", lambda match: match[1].upper(), name).rstrip("_")

    assert paths(inspect.getsource(client)) == paths(TYPESCRIPT)
    for kind in TYPES:
        if kind.__module__ != client.__name__ or kind.__name__.startswith("_"):
            continue
        names = [*getattr(kind, "__required_keys__", ()), *getattr(kind, "__optional_keys__", ())]
        names += [name for name in vars(kind) if not name.startswith("_")]
        text = declaration(kind.__name__)
        missing = [name for name in names if not re.search(rf"\b{member(name)}[?:(<]", text)]
        assert missing == [], kind.__name__


def test_the_python_client_is_strictly_typed(tmp_path):
    file = ROOT / "Public/clients/foyer.py"
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, file],
        env={**os.environ, "MYPYPATH": ""},
        text=True,
        capture_output=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
