"""Stand-ins for Anonymous Wall's servers: the one its document describes, and
the Java one that its people run, byte for byte.
"""

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


class Codes:
    """What both remember: people, codes that live a while, what was asked."""

    def __init__(self):
        self.people = {}
        self.codes = []
        self.asked = []
        self.answers = {}

    def __call__(self, method, path, body):
        path = path.removeprefix(self.prefix)
        try:
            given = json.loads(body)
        except ValueError:
            return self.malformed
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
        return [c["code"] for c in self.codes if c["email"] == email][-1]

    def expire(self):
        for code in self.codes:
            code["alive"] = False

    def _send(self, email, purpose):
        self.codes.append(
            {
                "email": email,
                "purpose": purpose,
                "alive": True,
                "code": f"{(next(numbers) * 7919) % 1_000_000:06}",
            }
        )

    def _find(self, email, code, purposes):
        return next(
            (
                c
                for c in self.codes
                if c["email"] == email and c["code"] == code and c["purpose"] in purposes
            ),
            None,
        )

    def _forget(self, email):
        self.codes = [c for c in self.codes if c["email"] != email]


class Document(Codes):
    """The document's three calls; failures are `{success, message}`."""

    prefix = "/api/v1"
    malformed = 400, {"success": False, "message": "Malformed body"}
    sent = 200, {"success": True, "message": "Verification code sent to your email"}

    @staticmethod
    def refusal(status, message):
        return status, {"success": False, "message": message}

    def _auth_register(self, given):
        if given["email"] in self.people:
            return self.refusal(409, "This address is registered")
        self._send(given["email"], "any")
        return self.sent

    def _auth_request_code(self, given):
        self._send(given["email"], "any")
        return self.sent

    def _auth_login(self, given):
        email = given["email"]
        code = self._find(email, given["verification_code"], ["any"])
        if code is None:
            return self.refusal(401, "Invalid verification code")
        if not code["alive"]:
            return self.refusal(401, "Verification code has expired")
        self._forget(email)
        self.people[email] = f"id-of-{email}"
        return 200, {
            "success": True,
            "message": "Login successful",
            "user": {
                "id": self.people[email],
                "email": email,
                "created_at": "2026-01-31T00:00:00Z",
            },
            "token": token(email),
        }


class Java(Codes):
    """The Micronaut server: codes by purpose, `error`, a 409 without body."""

    prefix = "/api/v1/auth"
    malformed = (
        400,
        {
            "message": "Bad Request",
            "_embedded": {"errors": [{"message": "Invalid JSON"}]},
            "_links": {"self": {"href": prefix, "templated": False}},
        },
    )
    schools = ("harvard.edu", "mit.edu", "stanford.edu", "ox.ac.uk")
    conflict = 409, None

    @staticmethod
    def refusal(words):
        return 400, {"error": words}

    def _email_send_code(self, given):
        email, purpose = given["email"], given["purpose"]
        if purpose not in ("register", "login", "reset_password"):
            return self.malformed
        if not email.strip():
            return self.refusal("Invalid email")
        if purpose == "register" and email in self.people:
            return self.conflict
        if purpose != "register" and email not in self.people:
            return self.refusal("Email not found")
        self._send(email, purpose)
        return 200, {"message": "Verification code sent to email"}

    def _register_email(self, given):
        email = given["email"]
        if email.partition("@")[2] not in self.schools:
            return self.refusal(
                "Only school/educational email addresses are allowed for registration"
            )
        if email in self.people:
            return self.conflict
        refused = self._refused(given, "register")
        if refused:
            return refused
        self.people[email] = f"id-of-{email}"
        return 201, self._signed_in(email)

    def _login_email(self, given):
        return self._refused(given, "login") or (200, self._signed_in(given["email"]))

    def _refused(self, given, purpose):
        code = self._find(given["email"], given["code"], [purpose])
        if code is None:
            return self.refusal("Invalid or expired code")
        if not code["alive"]:
            return self.refusal("Code has expired")
        return None

    def _signed_in(self, email):
        self._forget(email)
        return {
            "accessToken": token(email),
            "user": {
                "id": self.people[email],
                "email": email,
                "isVerified": True,
                "createdAt": "2026-01-31T00:00:00Z",
            },
        }
