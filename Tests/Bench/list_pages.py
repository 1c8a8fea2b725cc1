"""Pages of long lists, whose rows are written into the database of a stopped foyer."""

import sqlite3

from harness import MANY, QUICK, WORK, header, in_succession, microseconds, row, wrk
from processes import Foyer, end

EXCHANGES = 20_000 if QUICK else 1_000_000

CALLS = """case i % 4 when 0 then 'login' when 1 then 'me'
    when 2 then 'refresh' else 'register' end"""


def write_exchanges(data, count):
    """Writes `count` exchanges of the workspace `main`, a fifth of a second apart.

    They belong to five apps and a hundred devices. Some have an error status, some no response.
    """
    database = sqlite3.connect(data / "traffic.sqlite")
    database.execute("pragma synchronous = off")
    database.execute("delete from exchanges")
    database.execute("delete from sqlite_sequence where name = 'exchanges'")
    database.execute("insert into exchange_text (exchange_text) values ('delete-all')")
    database.execute(
        f"""
        with recursive n(i) as
            (select 1 union all select i + 1 from n where i < ?1)
        insert into exchanges (id, workspace, app, device, backend, call,
            cause, root, attempt, method, url, status, failure_kind,
            failure_detail, started_at, connect, first_byte, total,
            request_bytes, response_bytes, remote_address, tokens, sealed,
            request_headers, response_headers, request_text, response_text)
        select 'exc_bench' || i, 'main',
            case i % 5 when 0 then 'bob' when 1 then 'mystica'
                when 2 then 'wall' when 3 then 'socoto' else 'clarity' end,
            'dev_bench' || (i % 100), 'embedded', {CALLS},
            case when i % 4 = 2 then 'refresh' else 'submit' end,
            'exc_bench' || i, 1, 'POST',
            'http://127.0.0.1:7071/main/mystica/api/v1/auth/' || {CALLS},
            case when i % 97 = 0 then null when i % 20 = 0 then 401
                else 200 end,
            case when i % 97 = 0 then 'timeout' end,
            case when i % 97 = 0 then 'no response' end,
            strftime('%s', 'now') - (?1 - i) * 0.2, 0.04, 2.8, 3.1, 60, 80,
            '127.0.0.1:7071', '[]', '[]',
            '[["Content-Type","application/json"]]',
            '[["Content-Type","application/json"]]',
            '{{"email":"bench' || i || '@example.com"}}',
            '{{"user":{{"id":"usr_' || i || '"}},"token_type":"bearer"}}'
        from n""",
        [count],
    )
    database.execute("delete from exchange_totals where workspace = 'main'")
    database.execute("""
        insert into exchange_totals
        select workspace, count(*), count(*) filter (where status >= 400),
            count(*) filter (where failure_kind is not null),
            count(*) filter (where cause = 'refresh')
        from exchanges where workspace = 'main' group by workspace""")
    database.execute("update exchange_worded set upto = 0")
    database.commit()
    database.close()


def copy_sessions(data, count, *, searchable=True):
    """Copies one session many times in a stopped foyer's database. Returns the last sequence.

    The first search writes their words into the index, unless they are not `searchable`.
    """
    database = sqlite3.connect(data / "devices.sqlite")
    database.execute("pragma synchronous = off")
    columns = [r[1] for r in database.execute("pragma table_info(sessions)")]
    copied = [c for c in columns if c not in ("sequence", "id", "email")]
    names = ", ".join(copied)
    existing = database.execute("select count(*) from sessions").fetchone()[0]
    database.execute(
        f"""
        with recursive n(i) as
            (select 1 union all select i + 1 from n where i < ?)
        insert into sessions (id, email, {names})
        select 'ses_bench' || n.i, 'bench' || n.i || '@example.com', {names}
        from n, (select * from sessions limit 1)""",
        [max(1, count - existing)],
    )
    if not searchable:
        database.execute("delete from session_unworded")
    database.commit()
    last = database.execute("select max(sequence) from sessions").fetchone()[0]
    database.close()
    return last


def measure_paths(foyer, title, paths):
    """Prints a table of the response times of each path, requested alone for a second.

    A quick run sends a hundred requests instead.
    """
    headers = [f"Authorization: Bearer {foyer.key}"]
    print(f"\n{title}:\n")
    header("", "p50 ms", "p99 ms", "CPU")
    for name, path in paths.items():
        if QUICK:
            one = in_succession(foyer.base + path, headers, foyer.process)
        else:
            one = wrk(foyer.base + path, 1, headers, foyer.process, seconds=1)
            if not one["p50"]:  # No response within the second.
                one = in_succession(foyer.base + path, headers, foyer.process, count=3)
        row(name, f"{one['p50']:.2f}", f"{one['p99']:.2f}", microseconds(one))
    end(foyer.process)


def session_page(last, position, filters=""):
    """The path of the page that begins `position` sessions below the newest, `last`."""
    return f"/sessions?{filters}before={last - position + 1}&from={position + 1}"


def measure_sessions():
    data = WORK / "sessions"
    foyer = Foyer(data)
    device = foyer.device()["id"]
    foyer.register(device, "bench")
    end(foyer.process)
    last = copy_sessions(data, MANY)
    middle, near_end = MANY // 2, MANY - 60
    paths = {
        "first page": "/sessions",
        "middle page": session_page(last, middle),
        "last page": session_page(last, near_end),
        "search, common word": "/sessions?q=example",
        "search, common word, middle page": session_page(last, middle, "q=example&"),
        "search, common word, last page": session_page(last, near_end, "q=example&"),
        "search, one match": f"/sessions?q=bench{middle}",
        "search, no match": "/sessions?q=nowhere",
    }
    foyer = Foyer(data)
    # The first search builds the index.
    foyer.open("GET", "/api/sessions?q=bench&limit=1")
    measure_paths(foyer, f"{MANY:,} sessions, 50 a page, with total", paths)


def measure_traffic():
    data = WORK / "traffic"
    end(Foyer(data).process)
    write_exchanges(data, EXCHANGES)
    foyer = Foyer(data, "--keep", str(EXCHANGES))
    middle, last = EXCHANGES // 2, 60
    paths = {
        "first page": "/traffic",
        "middle page": f"/traffic?before={middle}&from={middle}",
        "last page": f"/traffic?before={last}&from={EXCHANGES - last}",
        "errors": "/traffic?status=error",
        "one app": "/traffic?app=bob",
        "rare initiator": "/traffic?cause=probe",
        "two filters": "/traffic?device=dev_bench7&app=bob",
        "search, rare status": "/traffic?q=login&status=5xx",
        "search, common word": "/traffic?q=login",
        "search, common word, middle page": f"/traffic?q=login&before={middle}",
        "search, common word, last page": f"/traffic?q=login&before={last}",
        "search, long common word": "/traffic?q=example",
        "search, common prefix": "/traffic?q=bench",
        "search, one match": f"/traffic?q=bench{middle}@",
        "search, part of a word": "/traffic?q=ogin",
        "search, filters": "/traffic?q=path:/auth+status:4xx+-method:GET",
        "sorted by duration": "/traffic?sort=-duration",
        "sorted by path": "/traffic?sort=path",
        "sorted by size, one app": "/traffic?sort=-size&app=bob",
        "search, no match": "/traffic?q=nowhere",
    }
    # The first search builds the index.
    foyer.open("GET", "/api/exchanges?q=bench&limit=1")
    measure_paths(foyer, f"{EXCHANGES:,} requests, 50 a page, with total", paths)
