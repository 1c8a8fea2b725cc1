"""Redirects Google's https URLs to the embedded backend, which serves each host's paths below the
host's name."""

import urllib.parse

import requests


def redirect_to(host, monkeypatch):
    """Sends every request of `requests` for a Google host to `host`."""
    original_send = requests.Session.send

    def redirected_send(session, request, **options):
        url = urllib.parse.urlsplit(request.url)
        assert url.scheme == "https"
        assert url.hostname.endswith("googleapis.com")
        request.url = request.url.replace("https://", f"http://{host}/", 1)
        return original_send(session, request, **options)

    monkeypatch.setattr(requests.Session, "send", redirected_send)
