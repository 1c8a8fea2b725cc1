"""A stand-in for Firebase Auth, in the manner of its emulator, and for the
backend that stands behind it.

Error bodies are Google's: `{"error": {"code", "message", "errors": [...]}}`.
Tokens are the emulator's too: unsigned, an empty third part.
"""

import base64
import itertools
import json
import re
import time
import urllib.parse

ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
IDENTITY = "/identitytoolkit.googleapis.com/v1/accounts:"
TOKEN = "/securetoken.googleapis.com/v1/token"
PROFILE = "/api/v1/auth/register"
ME = "/api/v1/auth/me"


def said(message, code=400, reason="invalid", status=None):
    """An error as Google writes it."""
    error = {
        "code": code,
        "message": message,
        "errors": [{"message": message, "reason": reason, "domain": "global"}],
    }
    if status:
        error["status"] = status
    return code, {"error": error}


class Refused(Exception):
    def __init__(self, *what, **more):
        self.answer = said(*what, **more)


class Firebase:
    """Accounts, codes and tokens; `script` of a `StandIn`."""

    def __init__(self, privacy=True):
        # E-mail enumeration protection, on in every new project.
        self.privacy = privacy
        self.people = {}
        self.codes = {}
        self.mails = []
        self.profiles = {}
        self.dead = set()
        self.numbers = itertools.count(1)
        # What the next calls answer instead, by the end of their path.
        self.troubles = {}
        self.bodies = []

    def __call__(self, method, path, body):
        place, _, query = path.partition("?")
        name = place.rsplit(":", 1)[-1] if ":" in place else place
        given = self._read(body)
        self.bodies.append((name, given))
        if self.troubles.get(name):
            return self.troubles[name].pop(0)
        try:
            if place == PROFILE:
                return self._profile(given)
            if place == ME:
                return self._me()
            if "key=" not in query or query.endswith("key="):
                raise Refused(
                    "The request is missing a valid API key.", 403, "forbidden", "PERMISSION_DENIED"
                )
            if place == TOKEN:
                return self._refresh(given)
            if place.startswith(IDENTITY):
                return getattr(self, "_" + name)(given)
        except Refused as refused:
            return refused.answer
        return said("Not Found", 404, "notFound", "NOT_FOUND")

    def fail(self, name, answer, times=1):
        """The next `times` calls of `name` answer this."""
        self.troubles[name] = [answer] * times

    def bodies_of(self, name):
        return [body for called, body in self.bodies if called == name]

    @staticmethod
    def _read(body):
        try:
            return json.loads(body)
        except ValueError:
            pairs = urllib.parse.parse_qs(body.decode())
            return {name: values[0] for name, values in pairs.items()}

    # ---- People

    def add(self, email, password, verified=True, name=None):
        person = {
            "localId": f"u{next(self.numbers)}",
            "email": email,
            "password": password,
            "emailVerified": verified,
            "disabled": False,
            "createdAt": str(int(time.time() * 1000)),
            "refreshToken": f"refresh-of-{email}-{next(self.numbers)}",
        }
        if name:
            person["displayName"] = name
        self.people[email] = person
        return person

    def _signUp(self, given):
        email, password = given.get("email"), given.get("password")
        if not email:
            raise Refused("MISSING_EMAIL")
        if not ADDRESS.fullmatch(email):
            raise Refused("INVALID_EMAIL")
        if not password:
            raise Refused("MISSING_PASSWORD")
        if len(password) < 6:
            raise Refused("WEAK_PASSWORD : Password should be at least 6 characters")
        if email in self.people:
            raise Refused("EMAIL_EXISTS")
        person = self.add(email, password, verified=False)
        return 200, {"kind": "identitytoolkit#SignupNewUserResponse", **self._session(person)}

    def _signInWithPassword(self, given):
        person = self.people.get(given.get("email"))
        if person is None:
            raise Refused("INVALID_LOGIN_CREDENTIALS" if self.privacy else "EMAIL_NOT_FOUND")
        if person["password"] != given.get("password"):
            raise Refused("INVALID_LOGIN_CREDENTIALS" if self.privacy else "INVALID_PASSWORD")
        if person["disabled"]:
            raise Refused("USER_DISABLED")
        return 200, {
            "kind": "identitytoolkit#VerifyPasswordResponse",
            "registered": True,
            **self._session(person),
        }

    def _lookup(self, given):
        person = self._bearer(given)
        shown = {
            k: person[k]
            for k in ("localId", "email", "emailVerified", "createdAt", "displayName")
            if k in person
        }
        return 200, {
            "kind": "identitytoolkit#GetAccountInfoResponse",
            "users": [
                {
                    **shown,
                    "passwordHash": "UkVEQUNURUQ=",
                    "providerUserInfo": [{"providerId": "password", "email": person["email"]}],
                }
            ],
        }

    def _update(self, given):
        """Another password; whatever was issued before is worth nothing."""
        person = self._bearer(given)
        if len(given["password"]) < 6:
            raise Refused("WEAK_PASSWORD : Password should be at least 6 characters")
        self.dead.add(given["idToken"])
        person["password"] = given["password"]
        person["refreshToken"] += f"-{next(self.numbers)}"
        return 200, {"kind": "identitytoolkit#SetAccountInfoResponse", **self._session(person)}

    def _delete(self, given):
        del self.people[self._bearer(given)["email"]]
        return 200, {"kind": "identitytoolkit#DeleteAccountResponse"}

    # ---- Codes by mail

    def _sendOobCode(self, given):
        kind = given.get("requestType")
        if kind == "VERIFY_EMAIL":
            email = self._bearer(given)["email"]
        else:
            email = given.get("email")
            if not email:
                raise Refused("MISSING_EMAIL")
            if email not in self.people:
                if not self.privacy:
                    raise Refused("EMAIL_NOT_FOUND")
                return 200, {
                    "kind": "identitytoolkit#GetOobConfirmationCodeResponse",
                    "email": email,
                }
        code = f"code-{next(self.numbers)}"
        self.codes[code] = (kind, email)
        self.mails.append((kind, email, code))
        return 200, {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": email}

    def _resetPassword(self, given):
        if given.get("oobCode") not in self.codes:
            raise Refused("INVALID_OOB_CODE")
        kind, email = self.codes.pop(given["oobCode"])
        self.people[email]["password"] = given["newPassword"]
        return 200, {
            "kind": "identitytoolkit#ResetPasswordResponse",
            "requestType": kind,
            "email": email,
        }

    def follow(self, email, password=None):
        """Opens the newest link mailed to somebody, as a person would."""
        kind, _, code = [m for m in self.mails if m[1] == email][-1]
        if kind == "PASSWORD_RESET":
            return self._resetPassword({"oobCode": code, "newPassword": password})
        self.codes.pop(code)
        self.people[email]["emailVerified"] = True

    # ---- Tokens

    def _session(self, person):
        self.present = person
        return {
            "localId": person["localId"],
            "email": person["email"],
            "idToken": self._token(person),
            "refreshToken": person["refreshToken"],
            "expiresIn": "3600",
        }

    def _token(self, person, life=3600):
        now = int(time.time())
        claims = {
            "iss": "https://securetoken.google.com/standin",
            "aud": "standin",
            "auth_time": now,
            "iat": now,
            "exp": now + life,
            "sub": person["localId"],
            "user_id": person["localId"],
            "email": person["email"],
            "email_verified": person["emailVerified"],
            "jti": next(self.numbers),
            "firebase": {
                "identities": {"email": [person["email"]]},
                "sign_in_provider": "password",
            },
        }
        parts = [{"alg": "none", "typ": "JWT"}, claims]
        return (
            ".".join(
                base64.urlsafe_b64encode(json.dumps(p).encode()).decode().rstrip("=") for p in parts
            )
            + "."
        )

    def _bearer(self, given):
        token = given.get("idToken")
        if not token:
            raise Refused("MISSING_ID_TOKEN")
        if token in self.dead:
            raise Refused("TOKEN_EXPIRED")
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * 3))
        person = self.people.get(claims["email"])
        if person is None:
            raise Refused("USER_NOT_FOUND")
        if person["disabled"]:
            raise Refused("USER_DISABLED")
        return person

    def _refresh(self, given):
        if given.get("grant_type") != "refresh_token":
            raise Refused("INVALID_GRANT_TYPE" if given.get("grant_type") else "MISSING_GRANT_TYPE")
        for person in self.people.values():
            if person["refreshToken"] != given.get("refresh_token"):
                continue
            if person["disabled"]:
                raise Refused("USER_DISABLED")
            token = self._token(person)
            return 200, {
                "id_token": token,
                "access_token": token,
                "expires_in": "3600",
                "token_type": "Bearer",
                "refresh_token": person["refreshToken"],
                "user_id": person["localId"],
                "project_id": "12345",
            }
        raise Refused("INVALID_REFRESH_TOKEN")

    # ---- CLARITY's own backend

    def _me(self):
        """Of whoever signed in last: the script is told no headers."""
        known = self.profiles.get(self.present["email"], {})
        return 200, {
            "user_id": self.present["localId"],
            "email": self.present["email"],
            "first_name": known.get("first_name"),
            "last_name": known.get("last_name"),
            "email_verified": self.present["emailVerified"],
        }

    def _profile(self, given):
        self.profiles[given["email"]] = given
        person = self.people.get(given["email"])
        if person:
            person["displayName"] = f"{given['first_name']} {given['last_name']}"
        return 201, {
            "user_id": f"u{next(self.numbers)}",
            "email": given["email"],
            "status": "pending_verification",
            "verification_email_sent": True,
            "created_at": "2026-01-02T03:04:05Z",
        }
