"""The servers that Foyer is compared with, in front of a bare libmicrohttpd."""

import functools
import json
import sys
import urllib.request
from pathlib import Path

from harness import WORK
from processes import ROOT, Foyer, end, free_port, spawn, wait_for_port

NGINX = """
daemon off; pid {work}/nginx.pid; error_log {work}/nginx.log;
worker_processes 2;
events {{ worker_connections 1024; }}
http {{
  access_log off; client_body_temp_path {work}/b; proxy_temp_path {work}/p;
  fastcgi_temp_path {work}/f; uwsgi_temp_path {work}/u;
  scgi_temp_path {work}/s; keepalive_requests 1000000000;
  upstream bare {{ server 127.0.0.1:{bare}; keepalive 128;
                   keepalive_requests 1000000000; }}
  server {{ listen 127.0.0.1:{port};
    location / {{ proxy_pass http://bare; proxy_http_version 1.1;
                  proxy_set_header Connection ""; }} }}
}}"""


class Server:
    """A running server with its process and URL."""

    def __init__(self, process, port):
        if not wait_for_port(port):
            raise SystemExit(f"{process.args[0]} did not start")
        self.process = process
        self.url = f"http://127.0.0.1:{port}"


@functools.cache
def bare():
    """A bare libmicrohttpd that serves Foyer's login screen, and a session for each POST."""
    foyer = Foyer(WORK / "bare-page")
    headers = dict(h.split(": ", 1) for h in foyer.page_headers())
    request = urllib.request.Request(foyer.base + "/apps/mystica/login", headers=headers)
    with urllib.request.urlopen(request) as response:
        body = response.read()
        kept = [
            f"{name}: {value}"
            for name, value in response.headers.items()
            if name.lower() not in ("date", "content-length", "connection")
        ]
    end(foyer.process)
    page = WORK / "page.http"
    page.write_bytes("\r\n".join(kept).encode() + b"\r\n\r\n" + body)
    login = WORK / "login.json"
    login.write_text(
        json.dumps(
            {
                "user": {
                    "id": "5f0c6b0a-8f1d-4f0e-9d3f-1b2a3c4d5e6f",
                    "email": "bench@example.com",
                },
                "session": {
                    "access_token": "bench-access-" + "a" * 40,
                    "refresh_token": "bench-refresh-" + "b" * 40,
                },
            }
        )
    )
    port = free_port()
    binary = str(ROOT / ".build/bench/bare")
    server = Server(spawn(binary, str(port), str(page), str(login)), port)
    server.page_size = len(body)
    return server


@functools.cache
def nginx():
    port = free_port()
    conf = WORK / "nginx.conf"
    conf.write_text(NGINX.format(work=WORK, bare=bare().url.rpartition(":")[2], port=port))
    binary = "/usr/sbin/nginx" if Path("/usr/sbin/nginx").exists() else "nginx"
    return Server(spawn(binary, "-c", str(conf), "-p", str(WORK)), port)


@functools.cache
def mitmproxy(name, *options):
    """`mitmdump` or `mitmweb`; None if it is not installed."""
    binary = ROOT / ".build/bench-venv/bin" / name
    if not binary.exists():
        print(f"{name} is not installed; its rows are omitted", file=sys.stderr)
        return None
    port = free_port()
    arguments = ["-q", "--mode", f"reverse:{bare().url}", "--listen-host", "127.0.0.1"]
    arguments += ["-p", str(port), "--set", f"confdir={WORK}/mitm", *options]
    return Server(spawn(str(binary), *arguments), port)


def mitmdump():
    return mitmproxy("mitmdump")


def mitmweb():
    """Stores proxied requests as Foyer does, but in memory."""
    return mitmproxy("mitmweb", "--no-web-open-browser", "--web-port", str(free_port()))
