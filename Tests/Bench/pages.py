"""The login screen, compared with the same bytes from other servers."""

from harness import ROUNDS, WORK, header, median, microseconds, row, wrk
from processes import Foyer, end
from upstreams import bare, mitmdump, nginx


def measure_pages():
    foyer = Foyer(WORK / "pages")
    headers = foyer.page_headers()
    servers = {
        "Foyer, the login screen": (foyer.base + "/apps/mystica/login", headers, foyer.process)
    }
    for name, server in {
        "bare libmicrohttpd": bare(),
        "nginx as proxy": nginx(),
        "mitmdump as proxy": mitmdump(),
    }.items():
        if server:
            servers[name] = (server.url + "/", [], server.process)
    results = {(name, c): [] for name in servers for c in (1, 64)}
    for _ in range(ROUNDS):
        for connections in (1, 64):
            for name, (url, sent, process) in servers.items():
                results[name, connections].append(wrk(url, connections, sent, process))
    print(f"\nA page of {bare().page_size:,} bytes:\n")
    header(
        "", "pages/s at 64", "of bare", "p50 ms", "p99 ms", "CPU", "pages/s alone", "p50 ms",
        "p99 ms", "CPU",
    )  # fmt: skip
    base = median(results["bare libmicrohttpd", 64])["rate"]
    for name in servers:
        many, one = median(results[name, 64]), median(results[name, 1])
        row(
            name,
            f"{many['rate']:,.0f}",
            f"{many['rate'] / base:.2f}",
            f"{many['p50']:.2f}",
            f"{many['p99']:.2f}",
            microseconds(many),
            f"{one['rate']:,.0f}",
            f"{one['p50']:.3f}",
            f"{one['p99']:.3f}",
            microseconds(one),
        )
    end(foyer.process)
