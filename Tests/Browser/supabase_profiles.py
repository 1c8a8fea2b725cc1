"""The table `profiles` of a Supabase project's stand-in, read as PostgREST
reads it."""

import re

ONE = "application/vnd.pgrst.object+json"
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)


class Profiles:
    """Rows by user; `schema` is the document's, or the database's own.

    The document has `role` and `email` in it. The database has `user_type`
    and neither `email`, `location` nor `preferences`.
    """

    def __init__(self, schema="role"):
        self.schema = schema
        self.rows = {}
        # Whether signing up makes a row.
        self.trigger = True
        # Whether row level security hides every row.
        self.hidden = False

    def made(self, person):
        """The trigger after a sign-up."""
        if not self.trigger:
            return
        data = person["data"]
        row = {
            "id": person["id"],
            "full_name": data.get("full_name"),
            "avatar_url": None,
            "bio": None,
            "created_at": person["made"],
            "updated_at": person["made"],
        }
        if self.schema == "role":
            row |= {
                "email": person["email"],
                "role": data.get("role", "user"),
                "location": None,
                "phone_number": None,
                "preferences": None,
            }
        else:
            row |= {"phone": None, "user_type": data.get("user_type", "user")}
        self.rows[person["id"]] = row

    def read(self, query, headers, reader):
        """GET /rest/v1/profiles?select=*&id=eq.…"""
        who = reader(headers)
        if who == "expired":
            return self._said(
                401,
                "PGRST303",
                "JWT expired",
                more={
                    "WWW-Authenticate": 'Bearer error="invalid_token", '
                    'error_description="JWT expired"'
                },
            )
        asked = query.get("id", "").removeprefix("eq.").lower()
        if not UUID.fullmatch(asked):
            return self._said(400, "22P02", f'invalid input syntax for type uuid: "{asked}"')
        found = (
            []
            if self.hidden
            else [
                row
                for row in self.rows.values()
                if row["id"] == asked and (self.schema != "role" or row["id"] == who)
            ]
        )
        if headers.get("Accept") != ONE:
            kind = "application/json; charset=utf-8"
            return 200, found, {"Content-Type": kind, "Content-Range": "0-0/*" if found else "*/*"}
        if len(found) != 1:
            return self._said(
                406,
                "PGRST116",
                "Cannot coerce the result to a single JSON object",
                "The result contains 0 rows",
            )
        return 200, found[0], {"Content-Type": ONE + "; charset=utf-8", "Content-Range": "0-0/*"}

    @staticmethod
    def _said(status, code, message, details=None, more=None):
        """An error as PostgREST writes it, nulls and all."""
        return (
            status,
            {"code": code, "details": details, "hint": None, "message": message},
            {
                "Content-Type": "application/json; charset=utf-8",
                "Proxy-Status": f"PostgREST; error={code}",
                **(more or {}),
            },
        )
