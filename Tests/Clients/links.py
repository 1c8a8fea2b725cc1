"""Links as a browser follows them, and codes as an authenticator app makes them."""

import base64
import hashlib
import hmac
import struct
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime

import pytest


def totp(foyer, secret):
    """A code by RFC 6238, by the workspace's clock."""
    now = datetime.fromisoformat(foyer.clock.read()["now"])
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(now.timestamp()) // 30), hashlib.sha1).digest()
    offset = digest[-1] & 15
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def follow(link):
    """The redirect target of a link."""
    with pytest.raises(urllib.error.HTTPError) as redirect:
        urllib.request.build_opener(NoRedirects).open(link, timeout=30)
    assert redirect.value.code in (302, 303)
    return redirect.value.headers["Location"]


def items(url):
    """The query and the fragment of a URL."""
    parts = urllib.parse.urlsplit(url)
    return dict(urllib.parse.parse_qsl(parts.query) + urllib.parse.parse_qsl(parts.fragment))


def allow_at_provider(page, email):
    """Allows the sign-in on the embedded provider's page; returns the redirect to the app."""
    fields = {"person": "", "name": "Ada King", "email": email, "verified": "yes"}
    form = urllib.parse.urlencode(fields | {"decision": "allow"}).encode()
    with pytest.raises(urllib.error.HTTPError) as redirect:
        urllib.request.build_opener(NoRedirects).open(page, form, timeout=30)
    return follow(redirect.value.headers["Location"])
