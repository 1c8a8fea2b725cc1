"""A stand-in for a Supabase project: GoTrue under /auth/v1, PostgREST under
/rest/v1, and the gateway before both.

GoTrue writes errors in one of two dialects, chosen by the request's
X-Supabase-Api-Version; PostgREST has its own; the gateway has a third.
"""

import base64
import hashlib
import hmac
import json
import re
import time
import urllib.parse
import uuid

from supabase_profiles import Profiles

ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
VERSION = "X-Supabase-Api-Version"
NEWEST = "2024-01-01"
KEY = "anon-key-of-the-standin"
SECRET = b"super-secret-jwt-token-with-at-least-32-characters-long"


class Refused(Exception):
    """GoTrue says no."""

    def __init__(self, status, code, message, **more):
        self.status, self.code = status, code
        self.message, self.more = message, more


class Project:
    """Accounts, sessions and profiles; `script` of a `StandIn`."""

    def __init__(self, confirm=False, schema="role", local=False, old=False):
        # Mail confirmation; off in the command line's local stack.
        self.confirm = confirm
        # The local stack's gateway asks for no key.
        self.local = local
        # A GoTrue from before the new dialect.
        self.old = old
        self.server = None
        self.people = {}
        self.sessions = {}
        self.dead = set()
        self.profiles = Profiles(schema)
        self.mails = []
        self.heard = []
        # What the next calls answer instead, by their name.
        self.troubles = {}

    def __call__(self, method, path, body):
        place, _, query = path.partition("?")
        query = dict(urllib.parse.parse_qsl(query))
        headers = self.server.here.headers
        name = place.rsplit("/", 1)[1]
        name = query.get("grant_type", name) if name == "token" else name
        given = json.loads(body) if body else {}
        self.heard.append((name, given, headers))
        if not self.local:
            key = headers.get("apikey")
            if not key:
                return 401, {"message": "No API key found in request"}
            if key != KEY:
                return 401, {"message": "Invalid API key"}
        trouble = self.troubles.get(name)
        try:
            if trouble:
                answer = trouble.pop(0)
                if isinstance(answer, Refused):
                    raise answer
                return answer
            if place == "/rest/v1/profiles" and method == "GET":
                return self.profiles.read(query, headers, self._reader)
            call = getattr(self, f"_{method}_{name}", None)
            if call is None or not place.startswith("/auth/v1/"):
                return 404, "404 page not found"
            return call(given, query, headers)
        except Refused as refused:
            return self._said(refused, headers)

    def _said(self, refused, headers):
        """The error in the dialect the request asked for."""
        more = {"x-sb-error-code": refused.code}
        asked = headers.get(VERSION) or ""
        if not self.old and asked >= NEWEST:
            more[VERSION] = NEWEST
            body = {"code": refused.code, "message": refused.message}
        else:
            body = {"code": refused.status, "error_code": refused.code, "msg": refused.message}
        return refused.status, {**body, **refused.more}, more

    def fail(self, name, answer, times=1):
        """The next `times` calls of `name` answer this."""
        self.troubles[name] = [answer] * times

    def heard_of(self, name):
        """What came in by a name: bodies and headers."""
        return [(body, headers) for called, body, headers in self.heard if called == name]

    def bodies_of(self, name):
        return [body for body, _ in self.heard_of(name)]

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
            self.profiles.made(person)
        return person

    def _POST_signup(self, given, query, headers):
        email, password = given.get("email"), given.get("password")
        if not password:
            raise Refused(400, "validation_failed", "Signup requires a valid password")
        if len(password) < 6:
            raise Refused(
                422,
                "weak_password",
                "Password should be at least 6 characters.",
                weak_password={"reasons": ["length"]},
            )
        if not ADDRESS.fullmatch(email or ""):
            raise Refused(
                400, "validation_failed", "Unable to validate email address: invalid format"
            )
        known = self.people.get(email)
        if known and known["confirmed"]:
            if not self.confirm:
                raise Refused(422, "user_already_exists", "User already registered")
            # Nobody learns that the address is taken.
            return 200, self._user(
                {
                    **known,
                    "id": str(uuid.uuid4()),
                    "confirmed": None,
                    "data": given.get("data", {}),
                },
                fake=True,
            )
        if not known:
            known = self.add(email, password, confirmed=not self.confirm, profile=False)
            known["data"] = given.get("data") or {}
            self.profiles.made(known)
        if self.confirm:
            self.mails.append(("signup", email))
            return 200, self._user(known)
        return 200, self._session(known)

    def _user(self, person, fake=False):
        """The user object as GoTrue writes it."""
        data = dict(person["data"])
        identity = {
            "identity_id": str(uuid.uuid4()),
            "id": person["id"],
            "user_id": person["id"],
            "provider": "email",
            "identity_data": {
                **data,
                "email": person["email"],
                "email_verified": False,
                "phone_verified": False,
                "sub": person["id"],
            },
            "last_sign_in_at": person["made"],
            "email": person["email"],
            "created_at": person["made"],
            "updated_at": person["made"],
        }
        user = {
            "id": person["id"],
            "aud": "authenticated",
            "role": "" if fake else "authenticated",
            "email": person["email"],
            "phone": "",
            "app_metadata": {"provider": "email", "providers": ["email"]},
            "user_metadata": data,
            "identities": [] if fake else [identity],
            "created_at": person["made"],
            "updated_at": person["made"],
            "is_anonymous": False,
        }
        if person["confirmed"]:
            user |= {
                "email_confirmed_at": person["confirmed"],
                "confirmed_at": person["confirmed"],
                "last_sign_in_at": _time(),
            }
        else:
            user["confirmation_sent_at"] = person["made"]
        return user

    def follow(self, email):
        """Opens the link mailed to somebody."""
        self.people[email]["confirmed"] = _time()

    def _POST_recover(self, given, query, headers):
        if not ADDRESS.fullmatch(given.get("email") or ""):
            raise Refused(
                400, "validation_failed", "Unable to validate email address: invalid format"
            )
        if given["email"] in self.people:
            self.mails.append(("recovery", given["email"]))
        return 200, {}

    # ---- Sessions

    def _POST_password(self, given, query, headers):
        person = self.people.get(given.get("email"))
        if person is None or person["password"] != given.get("password"):
            raise Refused(400, "invalid_credentials", "Invalid login credentials")
        if not person["confirmed"]:
            raise Refused(400, "email_not_confirmed", "Email not confirmed")
        return 200, self._session(person)

    def _POST_refresh_token(self, given, query, headers):
        token = given.get("refresh_token")
        if token not in self.sessions:
            raise Refused(
                400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"
            )
        person, follower = self.sessions[token]
        if follower:
            raise Refused(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
        session = self._session(person)
        self.sessions[token] = (person, session["refresh_token"])
        return 200, session

    def _session(self, person, life=3600):
        refresh = uuid.uuid4().hex[:12]
        self.sessions[refresh] = (person, None)
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
            "phone": "",
            "role": "authenticated",
            "app_metadata": {"provider": "email", "providers": ["email"]},
            "user_metadata": person["data"],
            "aal": "aal1",
            "amr": [{"method": "password", "timestamp": now}],
            "session_id": str(uuid.uuid4()),
            "is_anonymous": False,
        }
        head = ".".join(
            _coded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)
        )
        return head + "." + _coded(hmac.digest(SECRET, head.encode(), hashlib.sha256))

    @property
    def base(self):
        return self.server.url.removesuffix("/api/v1")

    def _reader(self, headers):
        """Whose bearer this is; "expired" for one whose time is over."""
        token = (headers.get("Authorization") or "").removeprefix("Bearer ")
        if token in self.dead:
            return "expired"
        if token.count(".") != 2:
            return None
        part = token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(part + "=="))["sub"]

    def _POST_logout(self, given, query, headers):
        who = self._reader(headers)
        if who is None:
            raise Refused(401, "no_authorization", "This endpoint requires a valid Bearer token")
        self.sessions = {
            token: held for token, held in self.sessions.items() if held[0]["id"] != who
        }
        return 204, None


def _coded(part):
    return base64.urlsafe_b64encode(part).decode().rstrip("=")


def _time():
    return time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())
