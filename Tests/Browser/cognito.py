"""A stand-in for CLARITY's later backend: its own API in front of Cognito.

Failures are FastAPI's: `{"detail": …}` with a problem or a sentence.
"""

import itertools
import json

AUTH = "/api/v1/auth/"


def problem(status, kind, title, detail):
    return status, {
        "detail": {
            "type": kind,
            "title": title,
            "detail": detail,
            "status": status,
            "instance": f"https://api.clarity.health/requests/{kind}",
        }
    }


class Cognito:
    """Accounts and six-digit codes; `script` of a `StandIn`."""

    def __init__(self):
        self.people = {}
        self.codes = {}
        self.bodies = []
        self.numbers = itertools.count(1)

    def __call__(self, method, path, body):
        name = path.removeprefix(AUTH)
        fields = json.loads(body) if body else {}
        self.bodies.append((name, fields))
        handler = getattr(self, "_" + name.replace("-", "_"), None)
        return handler(fields) if handler else (404, {"detail": "Not Found"})

    def bodies_of(self, name):
        return [body for called, body in self.bodies if called == name]

    def _tokens(self, person):
        number = next(self.numbers)
        self.last_user = person
        return {
            "access_token": f"cognito-access-{number}",
            "refresh_token": f"cognito-refresh-{number}",
            "token_type": "bearer",
            "expires_in": 3600,
            "scope": "full_access",
        }

    def _register(self, fields):
        email = fields["email"]
        self.people[email] = {
            "user_id": f"c{next(self.numbers)}",
            "email": email,
            "password": fields["password"],
            "email_verified": False,
            "display_name": fields.get("display_name"),
            "auth_provider": "cognito",
        }
        self._mail(email)
        return 202, {"requires_email_verification": True}

    def _mail(self, email):
        self.codes[email] = f"{next(self.numbers) + 100000}"

    def _login(self, fields):
        person = self.people.get(fields["email"])
        if person is None or person["password"] != fields["password"]:
            return problem(
                401, "invalid_credentials", "Invalid Credentials", "Invalid email or password."
            )
        if not person["email_verified"]:
            return problem(
                403,
                "email_not_verified",
                "Email Not Verified",
                "Please verify your email before logging in.",
            )
        return 200, self._tokens(person)

    def _me(self, fields):
        profile = dict(self.last_user)
        profile.pop("password")
        return 200, profile

    def _logout(self, fields):
        return 200, {"message": "Successfully logged out"}

    def _confirm_email(self, fields):
        if fields["code"] != self.codes.get(fields["email"]):
            return problem(
                400, "invalid_code", "Invalid Code", "The verification code is invalid or expired."
            )
        self.people[fields["email"]]["email_verified"] = True
        return 200, {"status": "confirmed"}

    def _resend_confirmation(self, fields):
        self._mail(fields["email"])
        return 200, {"status": "sent"}
