"""Pages with many sessions, workspaces, devices, and an app of many screens."""

import sqlite3

from harness import QUICK, WORK
from list_pages import copy_sessions, measure_paths, session_page
from processes import Foyer, end

SESSIONS = 20_000 if QUICK else 1_000_000
ACCOUNTS = SESSIONS
# As many as a workspace stores.
MAILS = 5_000
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


def copy_accounts_and_mails(data):
    """Adds accounts of five contracts, a tenth of them unverified, and copies of one mail."""
    database = sqlite3.connect(data / "backend.sqlite")
    database.execute("pragma synchronous = off")
    database.execute("pragma cache_size = -200000")
    database.execute(
        """
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
        insert into accounts (id, workspace, contract, email, email_verified_at, disabled_at,
            profile, created_at, sequence)
        select printf('%08x-0000-4000-8000-%012d', i * 2654435761 % 4294967296, i), 'main',
            case i % 5 when 0 then 'bob' when 1 then 'mystica' when 2 then 'wall'
                when 3 then 'socoto' else 'clarity' end,
            'person-' || i || '@example.com', case when i % 10 > 0 then 1700000000000 end,
            case when i % 5000 = 0 then 1700000000000 end, '{}', 1700000000000 + i, 10 + i
        from n""",
        [ACCOUNTS],
    )
    columns = [r[1] for r in database.execute("pragma table_info(mails)")]
    names = ", ".join(c for c in columns if c not in ("sequence", "id", "recipient"))
    database.execute(
        f"""
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
        insert into mails (id, recipient, {names})
        select 'mail_bench' || i, 'person-' || i % 50 || '@example.com', {names}
        from n, (select * from mails limit 1)""",
        [MAILS - 1],
    )
    database.commit()
    database.close()


def measure_accounts():
    data = WORK / "accounts"
    foyer = Foyer(data)
    foyer.register(foyer.device()["id"], "bench")
    end(foyer.process)
    copy_accounts_and_mails(data)
    middle, last = ACCOUNTS // 2, 60
    paths = {
        "accounts, first page": "/accounts",
        "accounts, middle page": f"/accounts?before={middle}&from={middle}",
        "accounts, last page": f"/accounts?before={last}&from={ACCOUNTS - last}",
        "accounts, one app": "/accounts?app=bob",
        "accounts, rare state": "/accounts?state=disabled",
        "accounts, state and app": "/accounts?state=unverified&app=clarity",
        "accounts, locked": "/accounts?state=locked",
        "accounts, search, common text": "/accounts?q=example",
        "accounts, search, one match": f"/accounts?q=person-{middle}%40",
        "mailbox, first page": "/mailbox",
        "mailbox, last page": f"/mailbox?before={last}&from={MAILS - last}",
        "mailbox, one address": "/mailbox?to=person-7%40example.com",
        "mailbox, no match": "/mailbox?to=unknown%40example.com",
    }
    measure_paths(Foyer(data), f"{ACCOUNTS:,} accounts and {MAILS:,} mails", paths)


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
    measure_accounts()
