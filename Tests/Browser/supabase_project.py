"""A stand-in for a Supabase project: GoTrue under /auth/v1, PostgREST under
/rest/v1, and the gateway before both.
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
    """GoTrue says no."""

    def __init__(self, status, code, message):
        self.answer = (
            status,
            {"code": code, "message": message},
            {"x-sb-error-code": code, VERSION: NEWEST},
        )


class Project:
    """Accounts, sessions and profiles; `script` of a `StandIn`."""

    def __init__(self, confirm=False):
        # Mail confirmation; off in the command line's local stack.
        self.confirm = confirm
        self.server = None
        self.people = {}
        # Whose refresh tokens these are.
        self.sessions = {}
        # Rows of the table `profiles`, by user.
        self.profiles = {}
        self.mails = []
        self.heard = []

    def __call__(self, method, path, body):
        place, _, query = path.partition("?")
        query = dict(urllib.parse.parse_qsl(query))
        headers = self.server.here.headers
        name = place.rsplit("/", 1)[1]
        name = query.get("grant_type", name) if name == "token" else name
        given = json.loads(body) if body else {}
        if "email" in given:
            given["email"] = given["email"].lower()
        self.heard.append((name, given))
        if headers.get("apikey") != KEY:
            hint = "Double check your Supabase `anon` or `service_role` API key."
            return 401, {"message": "Invalid API key", "hint": hint}
        try:
            if place == "/rest/v1/profiles" and method == "GET":
                return self._profile(self._reader(headers))
            call = getattr(self, f"_{method}_{name}", None)
            if call is None or not place.startswith("/auth/v1/"):
                return 404, "404 page not found\n"
            return call(given, headers)
        except Refused as refused:
            return refused.answer

    def bodies_of(self, name):
        """What came in by a name."""
        return [body for called, body in self.heard if called == name]

    # ---- People

    def add(self, email, password, name="Maya Okafor", role="user", confirmed=True, profile=True):
        now = _time()
        person = {
            "id": str(uuid.uuid4()),
            "email": email,
            "password": password,
            "data": {"full_name": name, "role": role, "user_type": role},
            "made": now,
            "confirmed": now if confirmed else None,
        }
        self.people[email] = person
        if profile:
            self.trigger(person)
        return person

    def trigger(self, person):
        """Makes a row of `profiles`, as a sign-up does."""
        data = person["data"]
        self.profiles[person["id"]] = {
            "id": person["id"],
            "full_name": data.get("full_name"),
            "email": person["email"],
            "role": data.get("role", "user"),
            "created_at": person["made"],
            "updated_at": person["made"],
        }

    def _profile(self, who):
        """The reader's one row, or PostgREST's refusal, nulls and all."""
        if who in self.profiles:
            kind = "application/vnd.pgrst.object+json; charset=utf-8"
            return 200, self.profiles[who], {"Content-Type": kind}
        return 406, {
            "code": "PGRST116",
            "details": "The result contains 0 rows",
            "hint": None,
            "message": "Cannot coerce the result to a single JSON object",
        }

    def _POST_signup(self, given, headers):
        known = self.people.get(given["email"])
        if known and known["confirmed"]:
            if self.confirm:
                # Nobody learns that the address is taken.
                user = self._user({**known, "id": str(uuid.uuid4()), "confirmed": None})
                return 200, user | {"role": "", "identities": []}
            raise Refused(422, "user_already_exists", "User already registered")
        if not known:
            known = self.add(
                given["email"], given["password"], confirmed=not self.confirm, profile=False
            )
            known["data"] = given["data"]
            self.trigger(known)
        if self.confirm:
            self.mails.append(("signup", given["email"]))
            return 200, self._user(known)
        return 200, self._session(known)

    def _user(self, person):
        """The user object as GoTrue writes it."""
        confirmed = bool(person["confirmed"])
        data = person["data"] | ({"email_verified": True} if confirmed else {})
        identity = {
            "identity_id": str(uuid.uuid4()),
            "id": person["id"],
            "user_id": person["id"],
            "identity_data": {
                **data,
                "email": person["email"],
                "email_verified": confirmed,
                "phone_verified": False,
                "sub": person["id"],
            },
            "provider": "email",
            "last_sign_in_at": person["made"],
            "created_at": person["made"],
            "updated_at": person["made"],
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
            "created_at": person["made"],
            "updated_at": person["made"],
            "is_anonymous": False,
        }
        if confirmed:
            user |= {
                "email_confirmed_at": person["confirmed"],
                "confirmed_at": person["confirmed"],
                "last_sign_in_at": _time(),
            }
        if self.confirm or not confirmed:
            user["confirmation_sent_at"] = person["made"]
        return user

    def follow(self, email):
        """Opens the link mailed to somebody."""
        self.people[email]["confirmed"] = _time()

    def _POST_recover(self, given, headers):
        if given["email"] in self.people:
            self.mails.append(("recovery", given["email"]))
        return 200, {}

    # ---- Sessions

    def _POST_password(self, given, headers):
        person = self.people.get(given.get("email"))
        if person is None or person["password"] != given.get("password"):
            raise Refused(400, "invalid_credentials", "Invalid login credentials")
        if not person["confirmed"]:
            raise Refused(400, "email_not_confirmed", "Email not confirmed")
        return 200, self._session(person)

    def _session(self, person, life=3600):
        refresh = uuid.uuid4().hex[:12]
        self.sessions[refresh] = person["id"]
        return {
            "access_token": self._token(person, life),
            "token_type": "bearer",
            "expires_in": life,
            "expires_at": int(time.time()) + life,
            "refresh_token": refresh,
            "user": self._user(person),
        }

    def _token(self, person, life):
        now = int(time.time())
        claims = {
            "iss": f"{self.base}/auth/v1",
            "sub": person["id"],
            "aud": "authenticated",
            "exp": now + life,
            "iat": now,
            "email": person["email"],
            "role": "authenticated",
            "user_metadata": person["data"],
            "session_id": str(uuid.uuid4()),
        }
        head = ".".join(
            _coded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)
        )
        return head + "." + _coded(hmac.digest(SECRET, head.encode(), hashlib.sha256))

    @property
    def base(self):
        return self.server.url.removesuffix("/api/v1")

    @staticmethod
    def _reader(headers):
        """Whose bearer this is."""
        token = (headers.get("Authorization") or "").removeprefix("Bearer ")
        if token.count(".") != 2:
            return None
        return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))["sub"]

    def _POST_logout(self, given, headers):
        who = self._reader(headers)
        if who is None:
            raise Refused(401, "no_authorization", "This endpoint requires a valid Bearer token")
        self.sessions = {token: held for token, held in self.sessions.items() if held != who}
        return 204, None


def _coded(part):
    return base64.urlsafe_b64encode(part).decode().rstrip("=")


def _time():
    return time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())
