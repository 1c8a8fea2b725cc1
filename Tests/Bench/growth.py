"""Pages with many sessions, workspaces, devices, and an app of many screens."""

from harness import QUICK, WORK
from list_pages import copy_sessions, measure_paths, session_page
from processes import Foyer, end

SESSIONS = 20_000 if QUICK else 1_000_000
WORKSPACES = 50 if QUICK else 1_000
DEVICES = 50 if QUICK else 500
SCREENS = 50 if QUICK else 200
FAILURES = 7


def large_app():
    """A manifest of screens with one form each, which its call's failures give further states."""
    names = [f"s{number}" for number in range(SCREENS)]
    parts = [
        "{ name: 'Large', backends: { embedded: { base: 'embedded:mystica/api/v1' } },",
        "memory: { email: {} },",
        "storage: { large_token: { area: 'keychain', holds: 'accessToken' } },",
        "session: { expired: { clear: ['keychain'], go: 'splash' } },",
        "launch: [{ go: 's0' }], calls: {",
    ]
    for name in names:
        failures = ", ".join(
            f"{{ status: [{400 + number}], message: 'Failure {number} of {name}' }}"
            for number in range(FAILURES)
        )
        parts.append(
            f"{name}: {{ request: {{ method: 'POST', path: '/auth/login', "
            "json: { email: '{email}' } }, "
            "success: { capture: { accessToken: ['/session/access_token'] } }, "
            f"failures: [{failures}] }},"
        )
    parts.append("}, screens: { splash: { kind: 'launch', title: 'Large' },")
    for name, following in zip(names, names[1:] + names[:1], strict=True):
        parts.append(
            f"{name}: {{ kind: 'form', title: '{name}', "
            "fields: { email: { type: 'email', label: 'Email' } }, "
            f"submit: {{ label: 'Go', calls: ['{name}'], go: '{following}' }}, "
            f"links: {{ next: {{ screen: '{following}', label: 'Next' }} }} }},"
        )
    return "\n".join([*parts, "} }"])


def measure_growth():
    data, apps = WORK / "growth", WORK / "growth-apps"
    (apps / "large").mkdir(parents=True)
    (apps / "large/app.json5").write_text(large_app())
    foyer = Foyer(data)
    foyer.register(foyer.device()["id"], "bench")
    for _ in range(DEVICES):
        foyer.json("POST", "/api/devices", {})
    for _ in range(WORKSPACES):
        foyer.json("POST", "/api/workspaces", {})
    end(foyer.process)
    last = copy_sessions(data, SESSIONS, searchable=False)
    foyer = Foyer(data, "--apps", str(apps))
    states = foyer.open("GET", "/storyboard/large")[2].count(b"/frame?")
    paths = {
        "sessions, first page": "/sessions",
        "sessions, middle page": session_page(last, SESSIONS // 2),
        "sessions, last page": session_page(last, SESSIONS - 60),
        "sessions, active": "/sessions?state=active",
        "sessions, expired": "/sessions?state=expired",
        "sessions, one app": "/sessions?app=mystica",
        "workspaces": "/workspaces",
        "devices (API)": "/api/devices?limit=50",
        "storyboard": "/storyboard/large",
        "map": "/storyboard/large/map",
        "studio": "/studio/large",
    }
    measure_paths(
        foyer,
        f"{SESSIONS:,} sessions, {WORKSPACES:,} workspaces, {DEVICES:,} devices, "
        f"an app of {SCREENS:,} screens and {states:,} states",
        paths,
    )
