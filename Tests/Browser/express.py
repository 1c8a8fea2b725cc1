"""A stand-in for Mystica's server, as the document has it or as the Express server answers.

Express wraps every success in `{"success", "data", "timestamp"}`, has no session until the address
is confirmed, and refuses an unconfirmed address like a wrong password. The document's server sends
flat bodies and a session at once, and its `/me` refuses an unconfirmed account with a plain 401.
"""

import base64
import itertools
import json
import time

from standin import StandIn

PREFIX = "/api/v1/auth/"


class Mystica:
    """Accounts and their tokens; `standin` is the server."""

    def __init__(self, is_express):
        self.is_express = is_express
        self.people = {}
        self.tokens = {}
        self.requests = []
        # The responses to the next calls, by name.
        self.responses = {}
        self.numbers = itertools.count(1)
        self.standin = StandIn(self._respond)
        self.url = self.standin.url

    def stop(self):
        self.standin.stop()

    def add(self, email, password, confirmed=True):
        self.people[email] = {
            "id": f"usr-{next(self.numbers)}",
            "email": email,
            "password": password,
            "confirmed": confirmed,
        }

    def confirm(self, email):
        """Opens the mailed link."""
        self.people[email]["confirmed"] = True

    def _respond(self, method, path, content):
        name = path.removeprefix(PREFIX)
        self.requests.append(name)
        if self.responses.get(name):
            return self.responses[name].pop(0)
        fields = json.loads(content) if content else {}
        status, body = getattr(self, "_" + name.replace("-", "_"))(fields)
        if self.is_express and status < 400:
            body = {"success": True, "data": body, "timestamp": "2026-01-02T03:04:05.000Z"}
        return status, body

    def _register(self, fields):
        if fields["email"] in self.people:
            return error(422, "EMAIL_EXISTS", "Conflict: Email already registered.")
        self.add(fields["email"], fields["password"], confirmed=False)
        person = self.people[fields["email"]]
        user = {"id": person["id"], "email": person["email"]}
        if self.is_express:
            return 201, {"user": user, "session": None, "message": "User registered successfully."}
        return 200, {"user": user, "session": self._session(person)}

    def _login(self, fields):
        person = self.people.get(fields["email"])
        is_known = person is not None and person["password"] == fields["password"]
        if not is_known or self.is_express and not person["confirmed"]:
            return error(
                401 if self.is_express else 400,
                "INVALID_CREDENTIALS",
                "Validation failed: Invalid email or password",
            )
        user = {"id": person["id"], "email": person["email"]}
        return 200, {"user": user, "session": self._session(person)}

    def _me(self, _):
        person = self._bearer()
        if person is None or not person["confirmed"]:
            return error(401, "invalid_token", "Invalid or expired JWT token")
        user = {"id": person["id"], "email": person["email"], "username": None, "level": 1}
        return 200, {"user": user} if self.is_express else user

    def _refresh(self, fields):
        person = self.tokens.get(fields["refresh_token"])
        if person is None:
            return error(401, "INVALID_REFRESH_TOKEN", "Invalid or expired refresh token")
        session = self._session(person)
        return 200, {"session": session} if self.is_express else session

    def _logout(self, _):
        return 200, {"message": "Logout successful"} if self.is_express else {"success": True}

    def _resend_verification(self, _):
        return 200, {"message": "Verification email sent"}

    def _bearer(self):
        header = self.standin.request.headers.get("Authorization") or ""
        return self.tokens.get(header.removeprefix("Bearer "))

    def _session(self, person):
        claims = {"sub": person["id"], "email": person["email"], "exp": int(time.time()) + 3600}
        claims["jti"] = next(self.numbers)
        parts = [{"alg": "HS256", "typ": "JWT"}, claims, {"signature": "none"}]
        access = ".".join(
            base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
            for part in parts
        )
        refresh = f"refresh-{next(self.numbers)}"
        self.tokens[access] = self.tokens[refresh] = person
        return {"access_token": access, "refresh_token": refresh}


def error(status, code, message):
    """An error of the Express server, which is never wrapped."""
    return status, {"error": {"code": code, "message": message}}
