"""The search for secrets sees what it looks for, and only that."""

import base64
import json
import shutil
import sqlite3

import pytest
from sweep import encodings, holding, holds_jwt, main


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")


TOKEN = b".".join((part({"alg": "HS256"}), part({"sub": "7"}), b"s" * 43))


def test_a_whole_jwt_is_found_wherever_it_lies():
    assert holds_jwt(TOKEN)
    assert holds_jwt(b'{"refresh":"' + TOKEN + b'"}')
    assert holds_jwt(b"eyJnoise.noisenoise." + TOKEN)


def test_a_jwt_without_its_signature_is_no_find():
    assert not holds_jwt(TOKEN.rpartition(b".")[0])


def test_noise_that_begins_like_an_object_is_no_find():
    # The end of a sealed value: nonce, text and tag, all of them noise.
    assert not holds_jwt(b"eyJ4s9dKx_0aQz1-.q83v_2tS8cYw.Zm9vYmFyYmF6cXV1eA")


def test_a_file_that_holds_a_secret_in_any_form_is_found(tmp_path):
    for number, form in enumerate(encodings("Zq7x/Geheim und mehr")):
        (tmp_path / f"{number}").write_bytes(b"\0before " + form + b" after\xff")
    (tmp_path / "clean").write_bytes(b"nothing of it")
    files = sorted(tmp_path.iterdir())
    found = holding(set(encodings("Zq7x/Geheim und mehr")), files)
    assert found == [file for file in files if file.name != "clean"]
    assert holding({b"what nobody wrote"}, files) == []


@pytest.mark.parametrize("note, code", [("nothing", 0), ("the token-of-an-hour-1234567890", 1)])
def test_what_a_killed_process_left_in_its_log_is_read(tmp_path, capsys, note, code):
    live, left = tmp_path / "live.sqlite", tmp_path / "results/left.sqlite"
    left.parent.mkdir()
    database = sqlite3.connect(live)
    database.execute("pragma journal_mode = wal")
    database.execute("create table notes (text)")
    database.execute("insert into notes values ('a@example.com'), (?)", [note])
    database.commit()
    for end in ["", "-wal", "-shm"]:
        shutil.copy(f"{live}{end}", f"{left}{end}")
    database.close()
    (left.parent / "tokens.json").write_text('["token-of-an-hour-1234567890"]')
    assert main(left.parent) == code
    told = capsys.readouterr().out
    assert ("table notes" in told) == bool(code)
