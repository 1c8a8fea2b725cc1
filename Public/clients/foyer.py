"""A typed client of Foyer's API, with fixtures for pytest.

Needs Python 3.10 or newer; only the fixture `foyer_page` needs a package, pytest-playwright.

    from foyer import Foyer

    with Foyer().lease({"app": "mystica", "state": "signedIn"}) as workspace:
        workspace.clock.advance(61)
        workspace.app("mystica").relaunch()
        assert workspace.sessions.get(workspace.session)["refreshCount"] == 1

`FOYER_URL` is the address of Foyer, `http://127.0.0.1:7070` by default, and `FOYER_KEY` its key.
Fields, filters and settings have the names of the API (`/api/openapi.json`), and `request` calls
what has no method here. `Foyer` is the client of the workspace `main`, a lease that of its own.

With pytest, `pytest_plugins = ["foyer"]` provides

- `foyer_workspace`, a leased workspace for each test; its seed is the test's marker
  `@pytest.mark.foyer_seed(app="mystica", state="signedIn")`, or its parameter `foyer_seed`
- `foyer_page`, a page of pytest-playwright in that workspace
- `foyer_lease`, a function that leases a workspace, for tests with several
- `foyer`, the client of the workspace `main`
"""

# mypy: disable-error-code="no-any-return"
# A response has the type that the API describes.

from __future__ import annotations

import contextlib
import json
import os
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from playwright.sync_api import Page
    from typing_extensions import Unpack

# The test run of all leases of this process, unless pytest-xdist has one for all its workers.
_PROCESS = uuid.uuid4().hex

# In seconds, in addition to the time of a wait.
_PATIENCE = 60

# Without a proxy: Foyer is local.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class FoyerError(Exception):
    """An error response: its status, what went wrong, and where exactly and how to fix it."""

    def __init__(self, request: str, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.title: str = problem["title"]
        self.detail: str = problem["detail"]
        # The invalid fields, each with `pointer` or `parameter`, and `detail`.
        self.errors: list[dict[str, str]] = problem.get("errors", [])
        super().__init__(f"{request}: {status} {self.title}. {self.detail}")


class WaitTimeout(FoyerError, TimeoutError):
    """A wait in vain; `detail` says what there was instead."""


class Seed(TypedDict, total=False):
    """The user with which a workspace begins."""

    app: str
    state: str  # unverified, verified (default), locked, signedIn, expired, revoked
    user: dict[str, str]  # email, password, displayName; generated if omitted
    accessTokenTTL: int


class User(TypedDict):
    id: str
    email: str  # None in an app that signs in its device.
    password: str


class ClockState(TypedDict):
    now: str
    real: str
    offset: float
    frozen: bool
    note: str | None


class MailFilter(TypedDict, total=False):
    to: str
    app: str
    purpose: str
    channel: str


class Mail(TypedDict):
    id: str
    channel: str  # mail, textMessage
    app: str | None
    to: str
    subject: str
    purpose: str | None
    code: str | None
    link: str | None
    expiresAt: str | None
    usedAt: str | None
    sentAt: str
    isRead: bool


class MailDetail(Mail):
    text: str
    html: str | None
    headers: list[Header]


class Header(TypedDict):
    name: str
    value: str


class ExchangeFilter(TypedDict, total=False):
    app: str
    device: str
    call: str
    cause: str
    method: str
    host: str
    path: str
    status: str | int  # 401, 4xx, error, failed
    fault: str  # applied
    rule: str  # applied
    token: str  # yes, no
    since: str
    until: str
    q: str


class Exchange(TypedDict):
    id: str
    app: str
    device: str | None
    backend: str
    call: str | None
    cause: str
    attempt: int
    method: str
    url: str
    status: int | None
    failure: dict[str, str] | None
    startedAt: str
    fault: str | None
    rules: list[dict[str, Any]]


class Message(TypedDict):
    headers: list[Header]
    body: str
    encoding: str


class ExchangeDetail(Exchange):
    checks: list[dict[str, Any]]
    request: Message
    response: Message | None


class NewRequest(TypedDict, total=False):
    backend: str
    device: str
    useAccessToken: bool
    method: str
    headers: list[Header]
    body: str


class SessionFilter(TypedDict, total=False):
    app: str
    device: str
    backend: str
    state: str
    outOfSync: bool
    q: str


class Session(TypedDict):
    id: str
    app: str
    device: str
    backend: str
    user: dict[str, str | None]
    state: str  # active, expired, revoked, signedOut
    createdAt: str
    refreshedAt: str | None
    refreshCount: int
    endedAt: str | None
    accessToken: dict[str, Any] | None
    refreshToken: dict[str, Any] | None
    discrepancyCount: int


class SessionDetail(Session):
    family: dict[str, Any] | None
    comparison: list[dict[str, Any]]
    discrepancies: list[dict[str, Any]]
    archivedTokens: list[dict[str, Any]]


class FaultSettings(TypedDict, total=False):
    app: str
    device: str
    call: str
    times: int
    phase: str  # before, after
    status: int
    body: str
    headers: dict[str, str]
    delay: float
    retryAfter: int
    skew: int


class Fault(TypedDict):
    id: str
    kind: str
    app: str | None
    device: str | None
    call: str | None
    times: int | None
    applied: int
    remaining: int | None
    text: str


class RuleMatch(TypedDict, total=False):
    method: str
    host: str
    path: str
    app: str
    device: str
    call: str
    timeout: float  # of a pause, in seconds


class RuleResponse(TypedDict, total=False):
    status: int
    headers: list[Header]
    contentType: str
    body: str
    encoding: str  # utf-8, base64


class Rule(TypedDict):
    id: str
    kind: str
    enabled: bool


class Paused(TypedDict):
    """A paused request, or a response; its secrets are placeholders, which edits may contain."""

    exchange: str
    phase: str  # request, response
    app: str
    call: str | None
    method: str
    url: str
    path: str
    request: dict[str, Any]
    response: dict[str, Any] | None


class Edit(TypedDict, total=False):
    method: str
    path: str
    status: int
    headers: list[Header]
    body: str


class DeviceOptions(TypedDict, total=False):
    label: str
    build: str
    biometrics: str | dict[str, Any]
    size: str
    orientation: str
    appearance: str
    textSize: str


class Device(TypedDict):
    id: str
    label: str
    build: str
    size: str
    orientation: str
    appearance: str
    textSize: str


class NewDevice(Device):
    cookies: list[dict[str, Any]]  # for Playwright's `storage_state`


class AppState(TypedDict):
    app: str
    device: str
    screen: str
    inBackground: bool
    linkedScreen: str | None
    backend: str
    base: str
    session: Session | None
    storage: list[dict[str, Any]]
    notice: str | None


class SeededUser(TypedDict):
    user: User
    session: str | None


class AccountFilter(TypedDict, total=False):
    app: str
    state: str
    q: str


class NewAccount(TypedDict, total=False):
    email: str
    password: str
    state: str
    displayName: str
    accessTokenTTL: int


class AccountChange(TypedDict, total=False):
    verified: bool
    disabled: bool
    locked: bool
    lockSeconds: int
    password: str
    signOut: bool
    accessTokenTTL: int | None
    removeFactors: list[str]
    removeIdentities: list[str]
    metadata: dict[str, dict[str, Any]]


class Account(TypedDict):
    id: str
    app: str
    email: str | None
    phone: str | None
    displayName: str | None
    state: str
    sessions: int


class CreatedAccount(Account):
    password: str | None  # The generated one.


class Snapshot(TypedDict):
    id: str
    name: str
    device: str
    app: str | None
    createdAt: str


class EventFilter(TypedDict, total=False):
    kind: str
    app: str
    device: str
    subject: str


class Event(TypedDict):
    id: int
    at: str
    kind: str
    app: str | None
    device: str | None
    cause: int | None
    subject: str | None
    title: str


class Foyer:
    """Foyer as seen from one workspace: `main`, if none is given."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        workspace: str | None = None,
        device: str | None = None,
    ) -> None:
        url = url or os.environ.get("FOYER_URL") or "http://127.0.0.1:7070"
        self.url = url.rstrip("/")
        self.key = key or os.environ.get("FOYER_KEY")
        self.workspace = workspace
        self.device = device
        self.clock = Clock(self)
        self.mailbox = Mailbox(self)
        self.exchanges = Exchanges(self)
        self.sessions = Sessions(self)
        self.faults = Faults(self)
        self.rules = Rules(self)
        self.devices = Devices(self)
        self.accounts = Accounts(self)
        self.snapshots = Snapshots(self)
        self.events = Events(self)

    def lease(
        self,
        seed: Seed | None = None,
        *,
        ttl: float | None = None,
        run: str | None = None,
        label: str | None = None,
    ) -> Workspace:
        """A new workspace, which expires after `ttl` seconds, one hour by default.

        Its screens count for the test run named `run`: by default `FOYER_RUN`, else one for this
        process, or for all workers of pytest-xdist.
        """
        session = os.environ.get("PYTEST_XDIST_TESTRUNUID", _PROCESS)
        run = run or os.environ.get("FOYER_RUN") or f"python {session[:12]}"
        body = _given(seed=seed, ttl=ttl, run=run, label=label)
        return Workspace(self, self.request("POST", "/api/workspaces", body))

    def app(self, app: str, device: str | None = None) -> App:
        """An app on a device, by default that of the workspace."""
        device = device or self.device
        if device is None:
            raise ValueError("Name the device: only a leased workspace has one by default.")
        return App(self, f"/api/devices/{device}/apps/{app}")

    def reset(self) -> None:
        """Deletes all contents of the workspace."""
        self.request("POST", "/api/reset")

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        query: Mapping[str, object] | None = None,
        timeout: float = _PATIENCE,
    ) -> Any:
        """Sends a request, and returns the parsed JSON, another type's text, or None.

        Raises a FoyerError for an error status.
        """
        values = {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in (query or {}).items()
        }
        if values:
            path += "?" + urllib.parse.urlencode(values)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        if self.workspace:
            headers["X-Foyer-Workspace"] = self.workspace
        if self.device:
            headers["X-Foyer-Device"] = self.device
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with _opener.open(request, timeout=timeout) as response:
                text = response.read().decode()
                is_json = response.headers.get_content_type() == "application/json"
        except urllib.error.HTTPError as error:
            with error:
                if error.headers.get_content_type() == "application/problem+json":
                    problem = json.load(error)
                else:
                    problem = {"title": error.reason, "detail": f"Is {self.url} Foyer?"}
            kind = WaitTimeout if error.code == 504 else FoyerError
            raise kind(f"{method} {path}", error.code, problem) from None
        except urllib.error.URLError as error:
            raise ConnectionError(f"Foyer does not respond at {self.url}: {error.reason}") from None
        return (json.loads(text) if is_json else text) if text else None

    def items(self, path: str, query: Mapping[str, object] | None = None) -> list[Any]:
        """All elements of a list, from all its pages."""
        page = self.request("GET", path, query=query)
        items: list[Any] = page["items"]
        while after := page.get("next"):
            page = self.request("GET", path, query={**(query or {}), "after": after})
            items += page["items"]
        return items

    def wait(self, path: str, query: Mapping[str, object], timeout: float) -> Any:
        """Waits for up to `timeout` seconds, at most 60; raises a WaitTimeout if in vain."""
        query = {**query, "timeout": timeout}
        return self.request("GET", path, query=query, timeout=timeout + _PATIENCE)


class Workspace(Foyer):
    """A leased workspace; used as a context manager, it is deleted at the end."""

    def __init__(self, foyer: Foyer, lease: dict[str, Any]) -> None:
        super().__init__(foyer.url, foyer.key, workspace=lease["id"], device=lease["device"])
        self.id: str = lease["id"]
        self.device: str = lease["device"]
        # The argument `storage_state` of a browser's context: the key, the workspace, the device.
        self.storage_state: Any = lease["storageState"]
        # The base URL of each app's embedded backend.
        self.backend_base: dict[str, str] = lease["backendBase"]
        # The number of the test run, for `GET /api/apps/{app}/map?run=`.
        self.run: int = lease["run"]
        self._user: User | None = lease["user"]
        self._session: str | None = lease["session"]

    @property
    def user(self) -> User:
        """The seed's user with the password."""
        if self._user is None:
            raise ValueError("The workspace has no user: lease it with a seed.")
        return self._user

    @property
    def session(self) -> str:
        """The id of the seed's session."""
        if self._session is None:
            raise ValueError("The workspace has no session: its seed's state has none.")
        return self._session

    def extend(self, ttl: float) -> None:
        """Lets the workspace expire `ttl` seconds from now."""
        self.request("PATCH", f"/api/workspaces/{self.id}", {"ttl": ttl})

    def delete(self) -> None:
        """Deletes the workspace; no error if it is gone already."""
        try:
            self.request("DELETE", f"/api/workspaces/{self.id}")
        except FoyerError as error:
            if error.status != 404:
                raise

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()


class _Part:
    def __init__(self, foyer: Foyer) -> None:
        self._foyer = foyer


class Clock(_Part):
    """The workspace's clock, which tokens, codes, rate limits and countdowns follow."""

    def read(self) -> ClockState:
        return self._foyer.request("GET", "/api/clock")

    def advance(self, seconds: float) -> ClockState:
        return self._set(advance=seconds)

    def set_offset(self, seconds: float) -> ClockState:
        """Sets the difference from the system time; 0 returns to it."""
        return self._set(offset=seconds)

    def set_time(self, at: str) -> ClockState:
        """Sets the time, in ISO 8601."""
        return self._set(at=at)

    def freeze(self) -> ClockState:
        return self._set(freeze=True)

    def resume(self) -> ClockState:
        return self._set(freeze=False)

    def _set(self, **change: object) -> ClockState:
        return self._foyer.request("PATCH", "/api/clock", change)


class Mailbox(_Part):
    """The messages that backends sent in the workspace."""

    def all(self, **filters: Unpack[MailFilter]) -> list[Mail]:
        return self._foyer.items("/api/mailbox", filters)

    def wait(
        self,
        to: str | None = None,
        *,
        app: str | None = None,
        purpose: str | None = None,
        channel: str | None = None,
        since: str | None = None,
        timeout: float = 10,
    ) -> MailDetail:
        """Waits for a message, and returns it with its `code` and its `link`."""
        query = _given(to=to, app=app, purpose=purpose, channel=channel, since=since)
        return self._foyer.wait("/api/mailbox/wait", query, timeout)

    def get(self, mail: str) -> MailDetail:
        return self._foyer.request("GET", f"/api/mailbox/{mail}")

    def delete(self, mail: str) -> None:
        self._foyer.request("DELETE", f"/api/mailbox/{mail}")

    def clear(self) -> None:
        self._foyer.request("DELETE", "/api/mailbox")


class Exchanges(_Part):
    """The recorded requests and their responses."""

    def all(self, **filters: Unpack[ExchangeFilter]) -> list[Exchange]:
        """Those that match, newest first."""
        return self._foyer.items("/api/exchanges", filters)

    def wait(self, timeout: float = 10, **filters: Unpack[ExchangeFilter]) -> ExchangeDetail:
        """The newest that matches, as soon as there is one."""
        return self._foyer.wait("/api/exchanges/wait", filters, timeout)

    def get(self, exchange: str) -> ExchangeDetail:
        return self._foyer.request("GET", f"/api/exchanges/{exchange}")

    def send(self, app: str, path: str, **request: Unpack[NewRequest]) -> ExchangeDetail:
        """Sends a request below the base URL of an app's backend."""
        return self._foyer.request("POST", "/api/exchanges", {"app": app, "path": path, **request})

    def delete(self, exchange: str) -> None:
        self._foyer.request("DELETE", f"/api/exchanges/{exchange}")

    def clear(self, **filters: Unpack[ExchangeFilter]) -> None:
        """Deletes those that match, or all."""
        self._foyer.request("DELETE", "/api/exchanges", query=filters)


class Sessions(_Part):
    """The sessions of the workspace's devices."""

    def all(self, **filters: Unpack[SessionFilter]) -> list[Session]:
        return self._foyer.items("/api/sessions", filters)

    def get(self, session: str) -> SessionDetail:
        """With the mismatches between device, token and server."""
        return self._foyer.request("GET", f"/api/sessions/{session}")

    def wait(self, session: str, state: str | None = None, timeout: float = 10) -> Session:
        """Waits for a state, by default for any that is not active."""
        return self._foyer.wait(f"/api/sessions/{session}/wait", _given(state=state), timeout)

    def refresh(self, session: str) -> Session:
        return self._foyer.request("POST", f"/api/sessions/{session}/refresh")

    def test_refresh(
        self, session: str, kind: str, generation: int | None = None, token: int | None = None
    ) -> dict[str, Any]:
        """Runs a refresh test: concurrent, replay (of a generation or token) or dropResponse."""
        body = _given(kind=kind, generation=generation, token=token)
        return self._foyer.request("POST", f"/api/sessions/{session}/refresh-tests", body)

    def sign_out(self, session: str) -> None:
        self._foyer.request("DELETE", f"/api/sessions/{session}")

    def sign_out_all(self, **filters: Unpack[SessionFilter]) -> dict[str, Any]:
        """Signs out those that match, or all."""
        return self._foyer.request("DELETE", "/api/sessions", query=filters)


class Faults(_Part):
    """Simulated failures of the next requests."""

    def all(self) -> list[Fault]:
        return self._foyer.items("/api/faults")

    def add(self, kind: str, **settings: Unpack[FaultSettings]) -> Fault:
        return self._foyer.request("POST", "/api/faults", {"kind": kind, **settings})

    def presets(self) -> list[dict[str, Any]]:
        return self._foyer.items("/api/faults/presets")

    def add_preset(
        self, preset: str, app: str | None = None, device: str | None = None
    ) -> list[Fault]:
        body = _given(preset=preset, app=app, device=device)
        return self._foyer.request("POST", "/api/faults", body)["items"]

    def remove(self, fault: str) -> None:
        self._foyer.request("DELETE", f"/api/faults/{fault}")

    def clear(self, preset: str | None = None) -> None:
        """Turns off all faults, or those of a preset."""
        self._foyer.request("DELETE", "/api/faults", query=_given(preset=preset))


class Rules(_Part):
    """Rules that pause requests or responses, or respond instead of the backend."""

    def all(self) -> list[Rule]:
        return self._foyer.items("/api/rules")

    def pause_requests(self, **match: Unpack[RuleMatch]) -> Rule:
        return self._add("pauseRequest", match)

    def pause_responses(self, **match: Unpack[RuleMatch]) -> Rule:
        return self._add("pauseResponse", match)

    def respond(self, response: RuleResponse, **match: Unpack[RuleMatch]) -> Rule:
        return self._add("respond", {**match, "response": response})

    def remove(self, rule: str) -> None:
        self._foyer.request("DELETE", f"/api/rules/{rule}")

    def clear(self) -> None:
        self._foyer.request("DELETE", "/api/rules")

    def paused(self) -> list[Paused]:
        return self._foyer.items("/api/intercepted")

    def wait(
        self, call: str | None = None, phase: str | None = None, timeout: float = 10
    ) -> Paused:
        """Waits for a paused request or response; returns the oldest."""
        return self._foyer.wait("/api/intercepted/wait", _given(call=call, phase=phase), timeout)

    def continue_(self, exchange: str, **edit: Unpack[Edit]) -> None:
        """Lets a paused request or response continue, with edits or unchanged."""
        self._foyer.request("POST", f"/api/intercepted/{exchange}/continue", edit)

    def abort(self, exchange: str) -> None:
        self._foyer.request("POST", f"/api/intercepted/{exchange}/abort")

    def _add(self, kind: str, rule: Mapping[str, object]) -> Rule:
        return self._foyer.request("POST", "/api/rules", {"kind": kind, **rule})


class Devices(_Part):
    """The simulated phones of the workspace."""

    def all(self) -> list[Device]:
        return self._foyer.items("/api/devices")

    def create(self, **options: Unpack[DeviceOptions]) -> NewDevice:
        return self._foyer.request("POST", "/api/devices", options)

    def get(self, device: str) -> Device:
        return self._foyer.request("GET", f"/api/devices/{device}")

    def update(self, device: str, **options: Unpack[DeviceOptions]) -> Device:
        return self._foyer.request("PATCH", f"/api/devices/{device}", options)

    def delete(self, device: str) -> None:
        self._foyer.request("DELETE", f"/api/devices/{device}")


class App(_Part):
    """An app on a device."""

    def __init__(self, foyer: Foyer, path: str) -> None:
        super().__init__(foyer)
        self.path = path
        self.storage = Storage(foyer, path + "/storage")

    def state(self) -> AppState:
        return self._foyer.request("GET", self.path)

    def log(self) -> str:
        """The app's debug log, one line per event."""
        return self._foyer.request("GET", f"{self.path}/log")

    def relaunch(self) -> AppState:
        """Restarts the app: a cold start."""
        return self._act("relaunch")

    def force_quit(self) -> AppState:
        """Ends the app and restarts it; a running request's response is discarded."""
        return self._act("force-quit")

    def background(self) -> AppState:
        """Sends the app to the background, where it makes no calls."""
        return self._act("background")

    def foreground(self) -> AppState:
        """Brings the app back; it repeats the calls that load its screen."""
        return self._act("foreground")

    def open_link(self, link: str) -> AppState:
        """Opens a link such as `atlas://settings`; the app remembers it until the sign-in."""
        return self._act("link", {"link": link})

    def crash_during_next_request(self, enabled: bool = True) -> AppState:
        return self._act("crash", {"enabled": enabled})

    def expire_access_token(self) -> AppState:
        return self._act("expire")

    def seed(self, **seed: Unpack[Seed]) -> SeededUser:
        """Creates a user and signs it in, as far as the seed's state goes; its app is this one."""
        return self._foyer.request("POST", f"{self.path}/seed", seed)

    def copy_from(self, device: str) -> AppState:
        """Replaces the app's stored data with that of another device."""
        return self._act("copy", {"from": device})

    def select_backend(
        self, backend: str, base: str | None = None, settings: dict[str, str] | None = None
    ) -> AppState:
        body = _given(backend=backend, base=base, settings=settings)
        return self._foyer.request("PATCH", self.path, body)

    def _act(self, action: str, body: object = None) -> AppState:
        return self._foyer.request("POST", f"{self.path}/{action}", body)


class Storage(_Part):
    """The values that an app stores on a device, unmasked."""

    def __init__(self, foyer: Foyer, path: str) -> None:
        super().__init__(foyer)
        self.path = path

    def get(self, key: str) -> str:
        return self._foyer.request("GET", f"{self.path}/{key}")["value"]

    def set(self, key: str, value: str) -> AppState:
        return self._foyer.request("PUT", f"{self.path}/{key}", {"value": value})

    def delete(self, key: str) -> AppState:
        return self._foyer.request("DELETE", f"{self.path}/{key}")

    def clear(self) -> AppState:
        return self._foyer.request("DELETE", self.path)


class Accounts(_Part):
    """The embedded backend's accounts."""

    def all(self, **filters: Unpack[AccountFilter]) -> list[Account]:
        return self._foyer.items("/api/accounts", filters)

    def create(self, app: str, **account: Unpack[NewAccount]) -> CreatedAccount:
        """Creates an account; email address and password are generated if omitted."""
        return self._foyer.request("POST", "/api/accounts", {"app": app, **account})

    def get(self, account: str) -> Account:
        return self._foyer.request("GET", f"/api/accounts/{account}")

    def update(self, account: str, **change: Unpack[AccountChange]) -> Account:
        return self._foyer.request("PATCH", f"/api/accounts/{account}", change)

    def delete(self, account: str) -> None:
        self._foyer.request("DELETE", f"/api/accounts/{account}")


class Snapshots(_Part):
    """Stored states of a device and its accounts."""

    def all(self) -> list[Snapshot]:
        return self._foyer.items("/api/snapshots")

    def take(self, name: str, device: str | None = None, app: str | None = None) -> Snapshot:
        body = _given(name=name, device=device, app=app)
        return self._foyer.request("POST", "/api/snapshots", body)

    def restore(self, snapshot: str) -> str:
        """Restores device and server; returns the effect on tokens, in words."""
        return self._foyer.request("POST", f"/api/snapshots/{snapshot}/restore")["note"]

    def delete(self, snapshot: str) -> None:
        self._foyer.request("DELETE", f"/api/snapshots/{snapshot}")


class Events(_Part):
    """The timeline."""

    def all(self, after: int = 0, **filters: Unpack[EventFilter]) -> list[Event]:
        """The stored events after an event's id, oldest first."""
        return self._foyer.items("/api/events", {**filters, "format": "json", "after": after})

    def wait(
        self, after: int | None = None, timeout: float = 10, **filters: Unpack[EventFilter]
    ) -> Event:
        """Waits for an event, by default one from now on."""
        query = {**filters, **_given(after=after)}
        return self._foyer.wait("/api/events/wait", query, timeout)

    def restore(self, event: int) -> dict[str, Any]:
        """Restores the event's app on its device to the state right after it."""
        return self._foyer.request("POST", f"/api/events/{event}/restore")


try:
    import pytest
except ImportError:
    pass
else:

    def pytest_configure(config: pytest.Config) -> None:
        config.addinivalue_line(
            "markers", "foyer_seed(app, state, user, accessTokenTTL): the user of foyer_workspace"
        )

    @pytest.fixture(scope="session")
    def foyer() -> Foyer:
        """Foyer's workspace `main`."""
        return Foyer()

    @pytest.fixture
    def foyer_lease(foyer: Foyer) -> Iterator[Callable[..., Workspace]]:
        """`foyer.lease`; the workspaces are deleted after the test."""
        with contextlib.ExitStack() as leases:

            def lease(seed: Seed | None = None, **options: Any) -> Workspace:
                return leases.enter_context(foyer.lease(seed, **options))

            yield lease

    @pytest.fixture
    def foyer_seed(request: pytest.FixtureRequest) -> Any:
        """The seed of `foyer_workspace`: the parameter, or the marker's arguments."""
        marker = request.node.get_closest_marker("foyer_seed")
        return getattr(request, "param", marker and marker.kwargs)

    @pytest.fixture
    def foyer_workspace(
        foyer_lease: Callable[..., Workspace], foyer_seed: Seed | None
    ) -> Workspace:
        """A leased workspace for this test alone."""
        return foyer_lease(foyer_seed)

    @pytest.fixture
    def foyer_page(foyer_workspace: Workspace, new_context: Callable[..., Any]) -> Page:
        """A page of pytest-playwright in the workspace, on its device."""
        workspace = foyer_workspace
        context = new_context(base_url=workspace.url, storage_state=workspace.storage_state)
        page: Page = context.new_page()
        return page


def _given(**values: object) -> dict[str, object]:
    """The values that are not None."""
    return {name: value for name, value in values.items() if value is not None}
