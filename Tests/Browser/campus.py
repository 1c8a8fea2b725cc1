"""A stand-in for Anonymous Wall's server, as its API document describes it."""

import base64
import hashlib
import hmac
import itertools
import json
import time

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
    """The API document's three calls: a `StandIn` script. Failures are `{success, message}`."""

    prefix = "/api/v1"
    sent = 200, {"success": True, "message": "Verification code sent to your email"}

    def __init__(self):
        self.codes = {}
        self.requests = []
        self.responses = {}

    def __call__(self, method, path, body):
        path = path.removeprefix(self.prefix)
        fields = json.loads(body)
        self.requests.append((path, fields))
        if self.responses.get(path):
            return self.responses[path].pop(0)
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
            "token": token(email),
        }
