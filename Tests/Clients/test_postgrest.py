"""postgrest and supabase from PyPI: their table clients against tables that an app declares."""

import itertools
import json
import time

import postgrest
import pytest
import supabase
from foyer import MARK
from postgrest import APIError, SyncPostgrestClient
from postgrest.types import CountMethod, ReturnMethod

numbers = itertools.count(1)

TABLES = {
    "authors": {
        "columns": {
            "id": {"type": "bigint", "default": "identity"},
            "name": {"type": "text", "required": True, "minLength": 2, "unique": True},
            "born": {"type": "date"},
        },
        "primaryKey": "id",
        "rules": {"select": "all"},
    },
    "books": {
        "columns": {
            "id": {"type": "bigint", "default": "identity"},
            "owner": {"type": "uuid", "default": "auth.uid()", "references": "auth.users"},
            "author": {"type": "bigint", "references": "authors.id", "onDelete": "cascade"},
            "title": {"type": "text", "required": True},
            "pages": {"type": "integer", "min": 1},
            "tags": {"type": "text[]", "default": []},
            "data": {"type": "jsonb", "default": {}},
            "sold": {"type": "boolean"},
        },
        "primaryKey": "id",
        "rules": {
            "select": "authenticated",
            "insert": {"owner": "owner"},
            "update": {"owner": "owner"},
            "delete": {"owner": "owner"},
        },
    },
}


@pytest.fixture(scope="module")
def settings(foyer):
    """The settings of a Supabase client, once the contract has the tables."""
    folder = foyer.data / "apps" / "library"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "app.json5").write_text(
        json.dumps(
            {
                "name": "Library",
                "backends": {"embedded": {"base": "embedded:socoto", "tables": TABLES}},
                "launch": [{"go": "home"}],
                "screens": {
                    "splash": {"kind": "launch", "title": "Library"},
                    "home": {"kind": "home", "title": "Library"},
                },
            }
        )
    )
    settings = foyer.api("GET", "/api/backend")["clients"]["supabase"]
    client = table_client(settings, settings["serviceKey"])
    for _ in range(100):
        try:
            client.from_("books").select("id").execute()
            break
        except APIError:
            time.sleep(0.1)
    client.from_("authors").insert([{"name": "Ursula"}, {"name": "Jorge"}]).execute()
    return settings


def table_client(settings, token):
    return SyncPostgrestClient(
        settings["url"] + "/rest/v1", headers={"apikey": settings["anonKey"]}
    ).auth(token)


@pytest.fixture
def service(settings):
    return table_client(settings, settings["serviceKey"])


@pytest.fixture
def anon(settings):
    return table_client(settings, settings["anonKey"])


@pytest.fixture
def user(foyer, settings):
    """A signed-in `supabase` client."""
    email, password = f"postgrest-{next(numbers)}@example.com", MARK + "-postgrest"
    foyer.accounts.create("socoto", email=email, password=password)
    client = supabase.create_client(
        settings["url"], settings["anonKey"], supabase.ClientOptions(auto_refresh_token=False)
    )
    client.auth.sign_in_with_password({"email": email, "password": password})
    return client


@pytest.fixture
def books(user):
    """The table of a user with three books."""
    user.table("books").insert(
        [
            {
                "title": "The Lathe",
                "author": 1,
                "pages": 184,
                "tags": ["sf", "a b"],
                "data": {"seen": {"by": ["Ada"]}},
                "sold": True,
            },
            {
                "title": "Ficciones",
                "author": 2,
                "pages": 170,
                "tags": [],
                "data": {},
                "sold": False,
            },
            {
                "title": "Dogs, running",
                "author": None,
                "pages": None,
                "tags": [],
                "data": {},
                "sold": None,
            },
        ]
    ).execute()
    owner = user.auth.get_user().user.id
    return lambda *columns: user.table("books").select(*(columns or ("title",))).eq("owner", owner)


def titles(query):
    return [row["title"][:4] for row in query.order("id").execute().data]


def error(query):
    with pytest.raises(APIError) as caught:
        query.execute()
    return caught.value.code


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda q: q.eq("pages", 184), ["The "]),
        (lambda q: q.neq("pages", 184), ["Ficc"]),
        (lambda q: q.gt("pages", 170), ["The "]),
        (lambda q: q.gte("pages", 170), ["The ", "Ficc"]),
        (lambda q: q.lt("pages", 184), ["Ficc"]),
        (lambda q: q.lte("pages", 184), ["The ", "Ficc"]),
        (lambda q: q.is_("pages", None), ["Dogs"]),
        (lambda q: q.is_("sold", True), ["The "]),
        (lambda q: q.not_.is_("pages", "null"), ["The ", "Ficc"]),
        (lambda q: q.like("title", "%Lathe"), ["The "]),
        (lambda q: q.ilike("title", "%LATHE"), ["The "]),
        (lambda q: q.like_all_of("title", "The%,%Lathe"), ["The "]),
        (lambda q: q.like_any_of("title", "The%,Fic%"), ["The ", "Ficc"]),
        (lambda q: q.ilike_all_of("title", "the%,%lathe"), ["The "]),
        (lambda q: q.ilike_any_of("title", "the%,fic%"), ["The ", "Ficc"]),
        (lambda q: q.or_("pages.eq.170,title.eq.The Lathe"), ["The ", "Ficc"]),
        (lambda q: q.not_.or_("pages.eq.170,pages.is.null"), ["The "]),
        (lambda q: q.in_("title", ["Dogs, running", "Ficciones"]), ["Ficc", "Dogs"]),
        (lambda q: q.cs("tags", ["sf"]), ["The "]),
        (lambda q: q.cd("tags", ["sf", "a b"]), ["The ", "Ficc", "Dogs"]),
        (lambda q: q.ov("tags", ["sf", "x"]), ["The "]),
        (lambda q: q.overlaps("tags", ["a b"]), ["The "]),
        (lambda q: q.contains("data", {"seen": {"by": ["Ada"]}}), ["The "]),
        (lambda q: q.contains("tags", ["a b"]), ["The "]),
        (lambda q: q.contained_by("tags", ["sf"]), ["Ficc", "Dogs"]),
        (lambda q: q.fts("title", "lathe"), ["The "]),
        (lambda q: q.plfts("title", "running dogs"), ["Dogs"]),
        (lambda q: q.phfts("title", "dogs running"), ["Dogs"]),
        (lambda q: q.wfts("title", "lathe or dogs"), ["The ", "Dogs"]),
        (lambda q: q.match({"pages": 184, "sold": True}), ["The "]),
        (lambda q: q.filter("title", "imatch", "^the"), ["The "]),
        (lambda q: q.filter("data->seen->by->>0", "eq", "Ada"), ["The "]),
        (lambda q: q.limit(1), ["The "]),
        (lambda q: q.offset(2), ["Dogs"]),
        (lambda q: q.range(1, 2), ["Ficc", "Dogs"]),
    ],
)
def test_a_filter_selects_the_rows(books, call, expected):
    assert titles(call(books())) == expected


@pytest.mark.parametrize(
    "name", ["sl", "sr", "nxl", "nxr", "adj", "range_gt", "range_gte", "range_lt", "range_lte"]
)
def test_there_are_no_ranges(books, name):
    assert error(getattr(books(), name)("pages", (1, 2))) == "42883"


def test_a_select_embeds_renames_and_casts(books):
    rows = books("name:title", "pages::text", "author(name)").order("pages", desc=True).execute()
    assert rows.data[0] == {"name": "Dogs, running", "pages": None, "author": None}
    assert rows.data[1] == {"name": "The Lathe", "pages": "184", "author": {"name": "Ursula"}}
    inner = books("title, authors!inner(name)").eq("authors.name", "Jorge").execute()
    assert inner.data == [{"title": "Ficciones", "authors": {"name": "Jorge"}}]
    assert error(books("nope")) == "42703"
    assert error(books("nope(id)")) == "PGRST200"


def test_an_embedded_table_is_ordered_and_limited(service, books):
    rows = (
        service.from_("authors")
        .select("name, books(title)")
        .order("name")
        .order("title", foreign_table="books", nullsfirst=True)
        .limit(1, foreign_table="books")
        .in_("name", ["Ursula", "Jorge"])
        .execute()
    )
    assert [(row["name"], len(row["books"])) for row in rows.data] == [("Jorge", 1), ("Ursula", 1)]


def test_counts_pages_and_head(books):
    page = books("title", "id").order("id").limit(1)
    page.request.headers["Prefer"] = "count=exact"
    assert page.execute().count == 3
    assert books().execute().count is None


def test_counting_without_rows(user, books):
    for count in CountMethod:
        query = user.table("books").select("*", count=count, head=True).execute()
        assert query.count >= 3
        assert query.data == []


def test_one_row(books):
    assert books("pages").eq("title", "Ficciones").single().execute().data == {"pages": 170}
    assert error(books().eq("title", "none").single()) == "PGRST116"
    assert books("pages").eq("title", "Ficciones").maybe_single().execute().data == {"pages": 170}
    assert books().eq("title", "none").maybe_single().execute() is None
    assert error(books().maybe_single()) == "406"


def test_other_formats(books):
    assert books("title", "pages").eq("pages", 170).csv().execute().data == (
        "title,pages\nFicciones,170"
    )
    assert books("title", "pages").is_("pages", None).strip_nulls().execute().data == [
        {"title": "Dogs, running"}
    ]
    with pytest.raises((APIError, AttributeError, TypeError)):
        books().explain(analyze=True).execute()


def test_insert_returns_what_is_asked_for(user):
    table = user.table("books")
    created = table.insert({"title": "A"}).execute().data[0]
    assert created["owner"] == user.auth.get_user().user.id
    assert created["tags"] == []
    assert table.insert({"title": "B"}, returning=ReturnMethod.minimal).execute().data == []
    many = table.insert(
        [{"title": "C", "pages": 1}, {"title": "D"}], count=CountMethod.exact, default_to_null=False
    ).execute()
    assert many.count == 2
    assert [row["pages"] for row in many.data] == [1, None]
    assert error(table.insert({"title": "A", "pages": 0})) == "23514"
    assert error(table.insert({"titel": "A"})) == "PGRST204"
    assert error(table.insert({"title": None})) == "23502"
    assert error(table.insert({"title": "A", "pages": "many"})) == "22P02"
    assert error(table.insert({"title": "A", "author": 999})) == "23503"
    assert error(table.insert({"title": "A", "owner": None})) == "42501"


def test_upsert_merges_or_ignores(service):
    name = f"Author {next(numbers)}"
    table = service.from_("authors")
    created = table.upsert({"name": name}, on_conflict="name").execute().data[0]
    merged = table.upsert({"name": name, "born": "1929-10-21"}, on_conflict="name").execute().data
    assert merged == [created | {"born": "1929-10-21"}]
    ignored = table.upsert(
        [{"name": name}], on_conflict="name", ignore_duplicates=True, default_to_null=False
    ).execute()
    assert ignored.data == []
    assert table.insert({"id": created["id"], "name": "x y"}, upsert=True).execute().data == [
        merged[0] | {"name": "x y"}
    ]
    assert error(table.insert({"name": "x y"})) == "23505"
    assert error(table.upsert({"name": name}, on_conflict="born")) == "42P10"
    table.delete().eq("id", created["id"]).execute()


def test_update_changes_the_users_own_rows(user, books, anon, service):
    table = user.table("books")
    changed = table.update({"pages": 171}).eq("title", "Ficciones").execute().data
    assert [row["pages"] for row in changed] == [171]
    assert table.update({"pages": 1}).eq("title", "none").execute().data == []
    assert error(table.update({"owner": None}).eq("title", "Ficciones")) == "42501"
    assert error(table.update({"pages": 1}).gt("id", 0).max_affected(1)) == "PGRST124"
    assert anon.from_("books").update({"pages": 1}).gt("id", 0).execute().data == []
    assert error(service.from_("books").update({"nope": 1}).gt("id", 0)) == "PGRST204"
    counted = table.update({"sold": True}, count=CountMethod.exact).eq("title", "Ficciones")
    assert counted.execute().count == 1


def test_delete_deletes_the_users_own_rows(user, books, anon):
    table = user.table("books")
    assert anon.from_("books").delete().gt("id", 0).execute().data == []
    deleted = table.delete(count=CountMethod.exact).eq("title", "Ficciones").execute()
    assert [row["title"] for row in deleted.data] == ["Ficciones"]
    assert deleted.count == 1
    minimal = table.delete(returning=ReturnMethod.minimal).eq("title", "The Lathe").execute()
    assert minimal.data == []
    assert titles(books()) == ["Dogs"]


def test_what_the_server_refuses(settings, user, anon):
    assert error(anon.from_("authors").insert({"name": "Anon"})) == "42501"
    assert error(anon.from_("nope").select("*")) == "PGRST205"
    assert error(anon.rpc("hello", {"name": "Ada"})) == "PGRST202"
    assert error(anon.rpc("hello", {}, get=True)) == "PGRST202"
    assert error(anon.schema("auth").from_("users").select("*")) == "PGRST106"
    assert error(user.rpc("hello")) == "PGRST202"
    assert error(user.schema("auth").table("users").select("*")) == "PGRST106"
    assert error(table_client(settings, "a.b").from_("authors").select("*")) == "PGRST301"
    assert anon.from_("books").select("*").execute().data == []
    assert postgrest.__version__


def test_a_profile_belongs_to_its_user(user, service):
    me = user.auth.get_user().user.id
    row = user.table("profiles").select("*").eq("id", me.upper()).single().execute().data
    assert row["id"] == me
    name = f"name{next(numbers)}"
    mine = user.table("profiles").upsert({**row, "username": name}).execute().data
    assert mine[0]["username"] == name
    assert error(user.table("profiles").update({"username": "ab"}).eq("id", me)) == "23514"
    assert user.table("profiles").delete().eq("id", me).execute().data == []
    other = service.from_("profiles").select("id").neq("id", me).limit(1).execute().data
    for profile in other:
        assert (
            user.table("profiles").update({"bio": "x"}).eq("id", profile["id"]).execute().data == []
        )
    service.from_("profiles").delete().eq("id", me).execute()
    assert user.table("profiles").select("*").maybe_single().execute() is None
    assert user.table("profiles").insert({"id": me}).execute().data[0]["full_name"] == ""
