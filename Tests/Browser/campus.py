"""A stand-in for Anonymous Wall's server, as its API document describes it.

The document leaves refreshing and the feed to its next steps; both follow its other calls.
"""

import base64
import hashlib
import hmac
import itertools
import json
import time
from urllib.parse import parse_qs, urlsplit

numbers = itertools.count(1)


def _encode(value):
    text = json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def token(email, lifetime=86_400):
    """A signed token like the Java server's, valid for a day."""
    now = int(time.time())
    signed = (
        _encode({"alg": "HS256"})
        + "."
        + _encode(
            {
                "sub": f"id-of-{email}",
                "email": email,
                "verified": True,
                "passwordSet": False,
                "iat": now,
                "exp": now + lifetime,
                "jti": str(next(numbers)),
            }
        )
    )
    signature = hmac.new(b"campus", signed.encode(), hashlib.sha256).digest()
    return signed + "." + base64.urlsafe_b64encode(signature).rstrip(b"=").decode()


class WallBackend:
    """The API document's calls: a `StandIn` script. Failures are `{success, message}`."""

    prefix = "/api/v1"
    sent = 200, {"success": True, "message": "Verification code sent to your email"}

    def __init__(self):
        self.codes = {}
        self.requests = []
        self.responses = {}
        # The address of each token.
        self.access_tokens = {}
        self.refresh_tokens = {}
        self.posts = []

    def __call__(self, method, path, body):
        parts = urlsplit(path.removeprefix(self.prefix))
        path = parts.path
        if self.responses.get(path):
            return self.responses[path].pop(0)
        if method == "GET":
            return self._list(parse_qs(parts.query)) if path == "/posts" else (404, "")
        fields = json.loads(body)
        self.requests.append((path, fields))
        handler = getattr(self, "_" + path.strip("/").replace("/", "_").replace("-", "_"), None)
        return handler(fields) if handler else (404, "")

    def respond_with(self, path, *responses):
        """Sends these responses to the next calls of `path`."""
        self.responses[path] = list(responses)

    def bodies_of(self, path):
        return [fields for called, fields in self.requests if called == path]

    def code(self, email):
        """The newest code that was mailed to an address."""
        return self.codes[email][-1]

    @staticmethod
    def failure(status, message):
        return status, {"success": False, "message": message}

    def _auth_register(self, fields):
        code = f"{(next(numbers) * 7919) % 1_000_000:06}"
        self.codes.setdefault(fields["email"], []).append(code)
        return self.sent

    _auth_request_code = _auth_register

    def _auth_login(self, fields):
        email = fields["email"]
        if fields["verification_code"] not in self.codes.get(email, []):
            return self.failure(401, "Invalid verification code")
        del self.codes[email]
        return 200, {
            "success": True,
            "message": "Login successful",
            "user": {"id": f"id-of-{email}", "email": email, "created_at": "2026-01-31T00:00:00Z"},
            **self._tokens(email),
        }

    def _tokens(self, email):
        access, refresh = token(email), f"refresh-{next(numbers)}"
        self.access_tokens[access] = self.refresh_tokens[refresh] = email
        return {"token": access, "refresh_token": refresh}

    def expire_tokens(self, refresh_too=False):
        """The day is over: no access token issued so far is accepted."""
        self.access_tokens.clear()
        if refresh_too:
            self.refresh_tokens.clear()

    def _auth_refresh(self, fields):
        email = self.refresh_tokens.pop(fields["refresh_token"], None)
        if email is None:
            return self.failure(401, "Invalid refresh token")
        return 200, {"success": True, "message": "Token refreshed", **self._tokens(email)}

    def add_posts(self, *contents):
        """Adds posts, the last of which is the newest."""
        for content in contents:
            number = next(numbers)
            created_at = f"2026-01-31T10:{number % 60:02}:00Z"
            self.posts.insert(
                0, {"id": f"post-{number}", "content": content, "created_at": created_at}
            )

    def _is_authorized(self):
        bearer = self.server.request.headers.get("Authorization", "")
        return bearer.removeprefix("Bearer ") in self.access_tokens

    def _list(self, query):
        if not self._is_authorized():
            return self.failure(401, "Unauthorized")
        page, limit = int(query["page"][0]), int(query["limit"][0])
        return 200, {
            "success": True,
            "posts": self.posts[(page - 1) * limit : page * limit],
            "page": page,
            "limit": limit,
            "total": len(self.posts),
            "total_pages": -(-len(self.posts) // limit),
        }

    def _posts(self, fields):
        if not self._is_authorized():
            return self.failure(401, "Unauthorized")
        self.add_posts(fields["content"])
        return 200, {"success": True, "message": "Post created", "post": self.posts[0]}
