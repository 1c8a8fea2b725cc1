"""A stand-in for a Supabase project.

GoTrue under /auth/v1, PostgREST under /rest/v1, and the gateway in front of both.
"""

import base64
import hashlib
import hmac
import json
import time
import urllib.parse
import uuid

VERSION = "X-Supabase-Api-Version"
NEWEST = "2024-01-01"
KEY = "anon-key-of-the-standin"
SECRET = b"super-secret-jwt-token-with-at-least-32-characters-long"


class Refused(Exception):
    """An error response of GoTrue."""

    def __init__(self, status, code, message):
        self.response = (
            status,
            {"code": code, "message": message},
            {"x-sb-error-code": code, VERSION: NEWEST},
        )


class Project:
    """Accounts, sessions and profiles; `script` of a `StandIn`."""

    def __init__(self, confirm=False):
        # Email confirmation; off by default in the Supabase CLI's local stack.
        self.confirm = confirm
        self.server = None
        self.people = {}
        # The user id of each refresh token.
        self.sessions = {}
        # Rows of the table `profiles`, by user.
        self.profiles = {}
        self.mails = []
        self.requests = []

    def __call__(self, method, path, body):
        endpoint, _, query = path.partition("?")
        query = dict(urllib.parse.parse_qsl(query))
        headers = self.server.request.headers
        name = endpoint.rsplit("/", 1)[1]
        name = query.get("grant_type", name) if name == "token" else name
        fields = json.loads(body) if body else {}
        if "email" in fields:
            fields["email"] = fields["email"].lower()
        self.requests.append((name, fields))
        if headers.get("apikey") != KEY:
            hint = "Double check your Supabase `anon` or `service_role` API key."
            return 401, {"message": "Invalid API key", "hint": hint}
        try:
            if endpoint == "/rest/v1/profiles" and method == "GET":
                return self._profile(self._user_id(headers))
            call = getattr(self, f"_{method}_{name}", None)
            if call is None or not endpoint.startswith("/auth/v1/"):
                return 404, "404 page not found\n"
            return call(fields, headers)
        except Refused as error:
            return error.response

    def bodies_of(self, name):
        """The bodies of the requests with this name."""
        return [body for called, body in self.requests if called == name]

    # ---- Accounts

    def add(self, email, password, name="Maya Okafor", role="user", confirmed=True, profile=True):
        now = _time()
        person = {
            "id": str(uuid.uuid4()),
            "email": email,
            "password": password,
            "data": {"full_name": name, "role": role, "user_type": role},
            "created_at": now,
            "confirmed": now if confirmed else None,
        }
        self.people[email] = person
        if profile:
            self.create_profile(person)
        return person

    def create_profile(self, person):
        """Creates the row of `profiles`, as the database trigger of a sign-up does."""
        data = person["data"]
        self.profiles[person["id"]] = {
            "id": person["id"],
            "full_name": data.get("full_name"),
            "email": person["email"],
            "role": data.get("role", "user"),
            "created_at": person["created_at"],
            "updated_at": person["created_at"],
        }

    def _profile(self, user_id):
        """The user's row, or PostgREST's error, with its nulls."""
        if user_id in self.profiles:
            kind = "application/vnd.pgrst.object+json; charset=utf-8"
            return 200, self.profiles[user_id], {"Content-Type": kind}
        return 406, {
            "code": "PGRST116",
            "details": "The result contains 0 rows",
            "hint": None,
            "message": "Cannot coerce the result to a single JSON object",
        }

    def _POST_signup(self, fields, headers):
        person = self.people.get(fields["email"])
        if person and person["confirmed"]:
            if self.confirm:
                # The response does not reveal that the address is taken.
                user = self._user({**person, "id": str(uuid.uuid4()), "confirmed": None})
                return 200, user | {"role": "", "identities": []}
            raise Refused(422, "user_already_exists", "User already registered")
        if not person:
            person = self.add(
                fields["email"], fields["password"], confirmed=not self.confirm, profile=False
            )
            person["data"] = fields["data"]
            self.create_profile(person)
        if self.confirm:
            self.mails.append(("signup", fields["email"]))
            return 200, self._user(person)
        return 200, self._session(person)

    def _user(self, person):
        """The user object in GoTrue's format."""
        confirmed = bool(person["confirmed"])
        data = person["data"] | ({"email_verified": True} if confirmed else {})
        identity = {
            "identity_id": str(uuid.uuid4()),
            "id": person["id"],
            "user_id": person["id"],
            "identity_data": {
                **data,
                "email": person["email"],
                # Only a mail verifies it.
                "email_verified": confirmed and self.confirm,
                "phone_verified": False,
                "sub": person["id"],
            },
            "provider": "email",
            "last_sign_in_at": person["created_at"],
            "created_at": person["created_at"],
            "updated_at": person["created_at"],
            "email": person["email"],
        }
        user = {
            "id": person["id"],
            "aud": "authenticated",
            "role": "authenticated",
            "email": person["email"],
            "phone": "",
            "app_metadata": {"provider": "email", "providers": ["email"]},
            "user_metadata": data,
            "identities": [identity],
            "created_at": person["created_at"],
            "updated_at": person["created_at"],
            "is_anonymous": False,
        }
        if confirmed:
            user |= {
                "email_confirmed_at": person["confirmed"],
                "confirmed_at": person["confirmed"],
                "last_sign_in_at": _time(),
            }
        if self.confirm or not confirmed:
            user["confirmation_sent_at"] = person["created_at"]
        return user

    def open_link(self, email):
        """Opens the link that was mailed to an address."""
        self.people[email]["confirmed"] = _time()

    def _POST_recover(self, fields, headers):
        if fields["email"] in self.people:
            self.mails.append(("recovery", fields["email"]))
        return 200, {}

    # ---- Sessions

    def _POST_password(self, fields, headers):
        person = self.people.get(fields.get("email"))
        if person is None or person["password"] != fields.get("password"):
            raise Refused(400, "invalid_credentials", "Invalid login credentials")
        if not person["confirmed"]:
            raise Refused(400, "email_not_confirmed", "Email not confirmed")
        return 200, self._session(person)

    def _session(self, person, lifetime=3600):
        refresh = uuid.uuid4().hex[:12]
        self.sessions[refresh] = person["id"]
        return {
            "access_token": self._token(person, lifetime),
            "token_type": "bearer",
            "expires_in": lifetime,
            "expires_at": int(time.time()) + lifetime,
            "refresh_token": refresh,
            "user": self._user(person),
        }

    def _token(self, person, lifetime):
        now = int(time.time())
        claims = {
            "iss": f"{self.base}/auth/v1",
            "sub": person["id"],
            "aud": "authenticated",
            "exp": now + lifetime,
            "iat": now,
            "email": person["email"],
            "role": "authenticated",
            "user_metadata": person["data"],
            "session_id": str(uuid.uuid4()),
        }
        head = ".".join(
            _base64url(json.dumps(part).encode())
            for part in ({"alg": "HS256", "typ": "JWT"}, claims)
        )
        return head + "." + _base64url(hmac.digest(SECRET, head.encode(), hashlib.sha256))

    @property
    def base(self):
        return self.server.url.removesuffix("/api/v1")

    @staticmethod
    def _user_id(headers):
        """The user id in the bearer token."""
        token = (headers.get("Authorization") or "").removeprefix("Bearer ")
        if token.count(".") != 2:
            return None
        return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))["sub"]

    def _POST_logout(self, fields, headers):
        user_id = self._user_id(headers)
        if user_id is None:
            raise Refused(401, "no_authorization", "This endpoint requires a valid Bearer token")
        self.sessions = {token: owner for token, owner in self.sessions.items() if owner != user_id}
        return 204, None


def _base64url(part):
    return base64.urlsafe_b64encode(part).decode().rstrip("=")


def _time():
    return time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())
