"""A stand-in for Anonymous Wall's server: the one its document describes."""

import base64
import hashlib
import hmac
import itertools
import json
import time

numbers = itertools.count(1)


def _part(value):
    text = json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def token(email, life=86_400):
    """A signed token of a day, as the Java server's are."""
    now = int(time.time())
    head = (
        _part({"alg": "HS256"})
        + "."
        + _part(
            {
                "sub": f"id-of-{email}",
                "email": email,
                "verified": True,
                "passwordSet": False,
                "iat": now,
                "exp": now + life,
                "jti": str(next(numbers)),
            }
        )
    )
    seal = hmac.new(b"campus", head.encode(), hashlib.sha256).digest()
    return head + "." + base64.urlsafe_b64encode(seal).rstrip(b"=").decode()


class Document:
    """The document's three calls; failures are `{success, message}`."""

    prefix = "/api/v1"
    sent = 200, {"success": True, "message": "Verification code sent to your email"}

    def __init__(self):
        self.codes = {}
        self.asked = []
        self.answers = {}

    def __call__(self, method, path, body):
        path = path.removeprefix(self.prefix)
        given = json.loads(body)
        self.asked.append((path, given))
        if self.answers.get(path):
            return self.answers[path].pop(0)
        play = getattr(self, "_" + path.strip("/").replace("/", "_").replace("-", "_"), None)
        return play(given) if play else (404, "")

    def say(self, path, *answers):
        """Answers the next calls of `path` with these."""
        self.answers[path] = list(answers)

    def asked_for(self, path):
        return [given for called, given in self.asked if called == path]

    def code(self, email):
        """The newest code an address was sent."""
        return self.codes[email][-1]

    @staticmethod
    def refusal(status, message):
        return status, {"success": False, "message": message}

    def _auth_register(self, given):
        code = f"{(next(numbers) * 7919) % 1_000_000:06}"
        self.codes.setdefault(given["email"], []).append(code)
        return self.sent

    _auth_request_code = _auth_register

    def _auth_login(self, given):
        email = given["email"]
        if given["verification_code"] not in self.codes.get(email, []):
            return self.refusal(401, "Invalid verification code")
        del self.codes[email]
        return 200, {
            "success": True,
            "message": "Login successful",
            "user": {"id": f"id-of-{email}", "email": email, "created_at": "2026-01-31T00:00:00Z"},
            "token": token(email),
        }
