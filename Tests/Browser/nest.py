"""A stand-in for builder-api, the NestJS server of Bob the Builder.

Its responses are flat camelCase, and its refresh tokens work once.
"""

import base64
import json
import secrets
import time
import uuid

from standin import StandIn

PREFIX = "/api/auth/"


def http_exception(status, error, message):
    """NestJS's HttpException, with its members in their order."""
    return status, {"message": message, "error": error, "statusCode": status}


class Nest:
    """Accounts and their tokens; `standin` is the server."""

    def __init__(self):
        self.people = {}
        # The email address of each token.
        self.access_tokens = {}
        self.refresh_tokens = {}
        self.token_lifetime = 900
        self.requests = []
        self.standin = StandIn(self._respond)
        port = self.standin.server.server_port
        self.base = f"http://127.0.0.1:{port}/api"

    def add(self, email, password):
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

    def requests_of(self, call):
        return [entry for entry in self.requests if entry["call"] == call]

    def _respond(self, method, path, content):
        call = path.removeprefix(PREFIX)
        headers = self.standin.request.headers
        bearer = headers.get("Authorization")
        body = json.loads(content) if content else {}
        self.requests.append(
            {"call": call, "bearer": bearer, "body": body, "agent": headers["User-Agent"]}
        )
        handler = getattr(self, "_" + call, None)
        return (
            handler(body, bearer)
            if handler
            else http_exception(404, "Not Found", f"Cannot {method} {path}")
        )

    def _login(self, body, _):
        account = self.people.get(body["email"])
        if not account or account["password"] != body["password"]:
            return http_exception(401, "Unauthorized", "Invalid credentials")
        return self._signed_in(body["email"])

    def _refresh(self, body, _):
        email = self.refresh_tokens.pop(body["refreshToken"], None)
        if email is None:
            return http_exception(
                403, "Forbidden", "Token reuse detected. All sessions have been terminated."
            )
        return self._signed_in(email)

    def _logout(self, _, bearer):
        if bearer not in self.access_tokens:
            return http_exception(401, "Unauthorized", "Invalid or expired access token")
        return 200, {"message": "Successfully logged out from all devices"}

    def _signed_in(self, email):
        access, refresh = self._token(email), secrets.token_hex(32)
        self.access_tokens[f"Bearer {access}"] = self.refresh_tokens[refresh] = email
        return 200, {
            "accessToken": access,
            "refreshToken": refresh,
            "tokenType": "Bearer",
            "expiresIn": self.token_lifetime,
            "user": self.people[email]["user"],
        }

    def _token(self, email):
        user = self.people[email]["user"]
        claims = {"sub": user["id"], "email": email, "exp": int(time.time()) + self.token_lifetime}
        parts = [{"alg": "HS256", "typ": "JWT"}, claims]
        head = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        return head + "." + base64url(secrets.token_bytes(32))


def base64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
