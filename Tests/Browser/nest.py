"""builder-api, the NestJS server behind Bob the Builder, as it answers: flat
camelCase, and refresh tokens that work once.
"""

import base64
import json
import secrets
import time
import uuid

from standin import StandIn

PREFIX = "/api/auth/"


def refuse(status, error, message):
    """Nest's HttpException, in the order its members are written."""
    return status, {"message": message, "error": error, "statusCode": status}


class Nest:
    """People and their tokens; `standin` is where it listens."""

    def __init__(self):
        self.people = {}
        # Whose each token is.
        self.access = {}
        self.refreshing = {}
        self.life = 900
        self.seen = []
        self.standin = StandIn(self._answer)
        port = self.standin.server.server_port
        self.base = f"http://127.0.0.1:{port}/api"

    def person(self, email, password):
        now = "2025-11-10T09:00:00.000Z"
        user = {
            "id": str(uuid.uuid4()),
            "email": email,
            "firstName": "John",
            "lastName": "Doe",
            "role": "user",
            "createdAt": now,
            "updatedAt": now,
        }
        self.people[email] = {"password": password, "user": user}

    def stop(self):
        self.standin.stop()

    def asked(self, call):
        return [entry for entry in self.seen if entry["call"] == call]

    def _answer(self, method, path, body):
        call = path.removeprefix(PREFIX)
        headers = self.standin.here.headers
        bearer = headers.get("Authorization")
        sent = json.loads(body) if body else {}
        self.seen.append(
            {"call": call, "bearer": bearer, "sent": sent, "agent": headers["User-Agent"]}
        )
        act = getattr(self, "_" + call, None)
        return act(sent, bearer) if act else refuse(404, "Not Found", f"Cannot {method} {path}")

    def _login(self, sent, _):
        known = self.people.get(sent["email"])
        if not known or known["password"] != sent["password"]:
            return refuse(401, "Unauthorized", "Invalid credentials")
        return self._signed_in(sent["email"])

    def _refresh(self, sent, _):
        email = self.refreshing.pop(sent["refreshToken"], None)
        if email is None:
            return refuse(
                403, "Forbidden", "Token reuse detected. All sessions have been terminated."
            )
        return self._signed_in(email)

    def _logout(self, _, bearer):
        if bearer not in self.access:
            return refuse(401, "Unauthorized", "Invalid or expired access token")
        return 200, {"message": "Successfully logged out from all devices"}

    def _signed_in(self, email):
        access, refresh = self._token(email), secrets.token_hex(32)
        self.access[f"Bearer {access}"] = self.refreshing[refresh] = email
        return 200, {
            "accessToken": access,
            "refreshToken": refresh,
            "tokenType": "Bearer",
            "expiresIn": self.life,
            "user": self.people[email]["user"],
        }

    def _token(self, email):
        user = self.people[email]["user"]
        claims = {"sub": user["id"], "email": email, "exp": int(time.time()) + self.life}
        parts = [{"alg": "HS256", "typ": "JWT"}, claims]
        head = ".".join(b64(json.dumps(part).encode()) for part in parts)
        return head + "." + b64(secrets.token_bytes(32))


def b64(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
