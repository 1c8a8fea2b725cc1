"""A stand-in for Firebase Auth, in the manner of its emulator, and for the
backend that stands behind it.

Error bodies are Google's: `{"error": {"code", "message", "errors": [...]}}`.
Tokens are the emulator's too: unsigned, an empty third part.
"""

import base64
import itertools
import json
import time

IDENTITY = "/identitytoolkit.googleapis.com/v1/accounts:"
PROFILE = "/api/v1/auth/register"
ME = "/api/v1/auth/me"
MADE = "2026-01-02T03:04:05Z"


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

    def __init__(self):
        self.people = {}
        self.codes = {}
        self.mails = []
        self.profiles = {}
        self.numbers = itertools.count(1)
        # What the next calls answer instead, by the end of their path.
        self.troubles = {}

    def __call__(self, method, path, body):
        place, _, query = path.partition("?")
        name = place.rsplit(":", 1)[-1] if ":" in place else place
        given = json.loads(body) if body else {}
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
            call = getattr(self, "_" + name, None)
            if place.startswith(IDENTITY) and call:
                return call(given)
        except Refused as refused:
            return refused.answer
        return said("Not Found", 404, "notFound", "NOT_FOUND")

    def fail(self, name, answer):
        """The next call of `name` answers this."""
        self.troubles[name] = [answer]

    # ---- People

    def add(self, email, password, verified=True, name=None):
        person = {
            "localId": f"u{next(self.numbers)}",
            "email": email,
            "password": password,
            "emailVerified": verified,
            "createdAt": str(int(time.time() * 1000)),
            "refreshToken": f"refresh-of-{email}-{next(self.numbers)}",
        }
        if name:
            person["displayName"] = name
        self.people[email] = person
        return person

    def _signUp(self, given):
        if given["email"] in self.people:
            raise Refused("EMAIL_EXISTS")
        person = self.add(given["email"], given["password"], verified=False)
        return 200, {"kind": "identitytoolkit#SignupNewUserResponse", **self._session(person)}

    def _signInWithPassword(self, given):
        person = self.people.get(given.get("email"))
        if person is None or person["password"] != given.get("password"):
            raise Refused("INVALID_LOGIN_CREDENTIALS")
        return 200, {
            "kind": "identitytoolkit#VerifyPasswordResponse",
            "registered": True,
            **self._session(person),
        }

    def _lookup(self, given):
        person = self._bearer(given)
        name = {k: person[k] for k in ("displayName",) if k in person}
        email, made = person["email"], person["createdAt"]
        return 200, {
            "kind": "identitytoolkit#GetAccountInfoResponse",
            "users": [
                {
                    "localId": person["localId"],
                    "email": email,
                    **name,
                    "passwordHash": "UkVEQUNURUQ=",
                    "emailVerified": person["emailVerified"],
                    "passwordUpdatedAt": int(made),
                    "providerUserInfo": [
                        {
                            "providerId": "password",
                            **name,
                            "federatedId": email,
                            "email": email,
                            "rawId": email,
                        }
                    ],
                    "validSince": made[:-3],
                    "lastLoginAt": made,
                    "createdAt": made,
                    "lastRefreshAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
                }
            ],
        }

    def _delete(self, given):
        del self.people[self._bearer(given)["email"]]
        return 200, {"kind": "identitytoolkit#DeleteAccountResponse"}

    # ---- Codes by mail

    def _sendOobCode(self, given):
        kind = given.get("requestType")
        if kind == "VERIFY_EMAIL":
            email = self._bearer(given)["email"]
        else:
            email = given["email"]
            if email not in self.people:
                return 200, {
                    "kind": "identitytoolkit#GetOobConfirmationCodeResponse",
                    "email": email,
                }
        code = f"code-{next(self.numbers)}"
        self.codes[code] = (kind, email)
        self.mails.append((kind, email, code))
        return 200, {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": email}

    def _resetPassword(self, given):
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
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * 3))
        person = self.people.get(claims["email"])
        if person is None:
            raise Refused("USER_NOT_FOUND")
        return person

    # ---- CLARITY's own backend

    def _me(self):
        """Of whoever signed in last: the script is told no headers."""
        known = self.profiles.get(self.present["email"], {})
        return 200, {
            "user_id": self.present["localId"],
            "email": self.present["email"],
            "first_name": known.get("first_name"),
            "last_name": known.get("last_name"),
            "role": "patient",
            "permissions": [],
            "status": "active" if self.present["emailVerified"] else "pending_verification",
            "mfa_enabled": False,
            "email_verified": self.present["emailVerified"],
            "created_at": MADE,
            "last_login": MADE,
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
            "verification_email_sent": any(to == given["email"] for _, to, _ in self.mails),
            "created_at": MADE,
        }
