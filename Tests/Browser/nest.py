"""builder-api, the NestJS server behind Bob the Builder, as it answers.

Played from its table of answers: flat camelCase, messages that are lists, no
tokens after a registration, refresh tokens that turn round and end the whole
family when one is used twice.
"""

import base64
import hashlib
import hmac
import json
import re
import secrets
import time
import uuid

from standin import StandIn

PREFIX = "/api/auth/"
SPECIAL = set("!@#$%^&*()_+-=[]{}|;:,.<>?")
SENT = {"Content-Type": "application/json; charset=utf-8"}


def refuse(status, error, message):
    """Nest's HttpException, in the order its members are written."""
    return status, {"message": message, "error": error, "statusCode": status}


class Nest:
    """People, tokens and limits; `standin` is where it listens."""

    def __init__(self):
        self.people = {}
        self.families = {}
        self.failures = {}
        self.life = 900
        self.secret = secrets.token_bytes(32)
        self.broken = {}
        self.seen = []
        self.standin = StandIn(self._answer)
        port = self.standin.server.server_port
        self.base = f"http://127.0.0.1:{port}/api"

    def person(self, email, password, first="John", last="Doe"):
        now = "2025-11-10T09:00:00.000Z"
        self.people[email.lower()] = {
            "password": password,
            "user": {
                "id": str(uuid.uuid4()),
                "email": email.lower(),
                "firstName": first,
                "lastName": last,
                "role": "user",
                "createdAt": now,
                "updatedAt": now,
            },
        }

    def stop(self):
        self.standin.stop()

    def asked(self, call):
        return [entry for entry in self.seen if entry["call"] == call]

    # ---- One request

    def _answer(self, method, path, body):
        call = path.removeprefix(PREFIX)
        bearer = self.standin.here.headers.get("Authorization")
        try:
            sent = json.loads(body) if body else {}
        except ValueError:
            sent = {}
        self.seen.append(
            {
                "call": call,
                "bearer": bearer,
                "sent": sent,
                "agent": self.standin.here.headers["User-Agent"],
            }
        )
        if call in self.broken:
            status, answer = self.broken[call]
        else:
            act = getattr(self, "_" + call, None)
            status, answer = (
                act(sent, bearer) if act else refuse(404, "Not Found", f"Cannot {method} {path}")
            )
        if isinstance(answer, str):
            return status, answer
        text = json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
        return status, text, SENT

    def _login(self, sent, _):
        wrong = unknown(sent, {"email", "password"})
        if not is_address(sent.get("email")):
            wrong.append("Please provide a valid email address")
        if not sent.get("password"):
            wrong.append("Password is required")
        if wrong:
            return refuse(400, "Bad Request", wrong)
        email = sent["email"].strip().lower()
        if self.failures.get(email, 0) >= 5:
            return 429, {
                "statusCode": 429,
                "message": "Too many failed login attempts. Please try again in 15 minutes.",
            }
        known = self.people.get(email)
        if not known or known["password"] != sent["password"]:
            self.failures[email] = self.failures.get(email, 0) + 1
            return refuse(401, "Unauthorized", "Invalid credentials")
        self.failures.pop(email, None)
        family = {"email": email, "tokens": [], "revoked": False}
        return 200, self._signed_in(known["user"], self._turn(family))

    def _signed_in(self, user, refresh):
        return {
            "accessToken": self._token(user),
            "refreshToken": refresh,
            "tokenType": "Bearer",
            "expiresIn": self.life,
            "user": user,
        }

    def _register(self, sent, _):
        wrong = unknown(sent, {"email", "password", "firstName", "lastName", "phoneNumber"})
        if not is_address(sent.get("email")):
            wrong.append("Please provide a valid email address")
        if not is_strong(sent.get("password", "")):
            wrong.append(
                "Password must contain at least one uppercase "
                "letter, one lowercase letter, one number, and one "
                "special character"
            )
        if "phoneNumber" in sent and not re.fullmatch(
            r"\+?[1-9]\d{1,14}", str(sent["phoneNumber"])
        ):
            wrong.append("Phone number must be in E.164 format")
        if wrong:
            return refuse(400, "Bad Request", wrong)
        if sent["email"].lower() in self.people:
            return refuse(409, "Conflict", "An account with this email address already exists")
        self.person(sent["email"], sent["password"], sent["firstName"], sent["lastName"])
        return 201, self.people[sent["email"].lower()]["user"]

    def _refresh(self, sent, _):
        wrong = unknown(sent, {"refreshToken"})
        if wrong:
            return refuse(400, "Bad Request", wrong)
        token = sent.get("refreshToken")
        if not token:
            return refuse(400, "Bad Request", "Refresh token is required")
        family = self.families.get(token)
        if family is None:
            return refuse(401, "Unauthorized", "Invalid refresh token")
        if family["revoked"]:
            return refuse(401, "Unauthorized", "Refresh token has been revoked")
        if family["tokens"][-1] != token:
            family["revoked"] = True
            return refuse(
                403, "Forbidden", "Token reuse detected. All sessions have been terminated."
            )
        user = self.people[family["email"]]["user"]
        return 200, self._signed_in(user, self._turn(family))

    def _logout(self, _, bearer):
        email = self._whose(bearer)
        if email is None:
            return refuse(401, "Unauthorized", "Invalid or expired access token")
        for family in self.families.values():
            if family["email"] == email:
                family["revoked"] = True
        return 200, {"message": "Successfully logged out from all devices"}

    def _me(self, _, bearer):
        email = self._whose(bearer)
        if email is None:
            return refuse(401, "Unauthorized", "Invalid or expired access token")
        return 200, {
            **self.people[email]["user"],
            "systemRole": "user",
            "isActive": True,
            "emailVerified": False,
        }

    # ---- Tokens

    def _turn(self, family):
        """The family's next refresh token."""
        token = secrets.token_hex(32)
        family["tokens"].append(token)
        self.families[token] = family
        return token

    def _token(self, user):
        now = int(time.time())
        claims = {
            "sub": user["id"],
            "email": user["email"],
            "role": user["role"],
            "jti": str(uuid.uuid4()),
            "iat": now,
            "exp": now + self.life,
        }
        text = (
            b64(b'{"alg":"HS256","typ":"JWT"}')
            + "."
            + b64(json.dumps(claims, separators=(",", ":")).encode())
        )
        return text + "." + self._signature(text)

    def _signature(self, text):
        return b64(hmac.digest(self.secret, text.encode(), hashlib.sha256))

    def _whose(self, bearer):
        """The address a bearer header speaks for; None for a bad one."""
        try:
            text, signature = bearer.removeprefix("Bearer ").rsplit(".", 1)
            claims = json.loads(unb64(text.split(".")[1]))
        except (AttributeError, ValueError, IndexError):
            return None
        good = hmac.compare_digest(signature, self._signature(text))
        return claims["email"] if good and claims["exp"] > time.time() else None


def unknown(sent, known):
    return [f"property {name} should not exist" for name in sent if name not in known]


def is_address(text):
    return bool(re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]{2,}", str(text or "")))


def is_strong(text):
    return (
        8 <= len(text) <= 128
        and text == text.strip()
        and any(c.islower() for c in text)
        and any(c.isupper() for c in text)
        and any(c.isdigit() for c in text)
        and any(c in SPECIAL for c in text)
    )


def b64(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
