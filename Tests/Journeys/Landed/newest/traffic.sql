PRAGMA foreign_keys = OFF;
CREATE TABLE foyer_history (
    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO foyer_history (position, name) VALUES (0, 'exchanges-1');
INSERT INTO foyer_history (position, name) VALUES (1, 'events-1');
INSERT INTO foyer_history (position, name) VALUES (2, 'exchanges-2');
INSERT INTO foyer_history (position, name) VALUES (3, 'conditions-1');
INSERT INTO foyer_history (position, name) VALUES (4, 'exchange-checks-1');
INSERT INTO foyer_history (position, name) VALUES (5, 'exchange-lists-1');
INSERT INTO foyer_history (position, name) VALUES (6, 'exchange-lists-2');
INSERT INTO foyer_history (position, name) VALUES (7, 'exchanges-recorded-1');
INSERT INTO foyer_history (position, name) VALUES (8, 'exchange-words-3');
INSERT INTO foyer_history (position, name) VALUES (9, 'exchange-words-4');
CREATE TABLE exchanges (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    app TEXT NOT NULL,
    device TEXT NOT NULL,
    backend TEXT NOT NULL,
    call TEXT NOT NULL,
    cause TEXT NOT NULL,
    cause_event INTEGER,
    cause_exchange TEXT,
    root TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    status INTEGER,
    failure_kind TEXT,
    failure_detail TEXT,
    started_at REAL NOT NULL,
    name_lookup REAL,
    connect REAL,
    tls REAL,
    first_byte REAL,
    total REAL NOT NULL,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    condition TEXT,
    remote_address TEXT,
    tokens TEXT NOT NULL,
    sealed TEXT NOT NULL,
    request_headers TEXT NOT NULL,
    response_headers TEXT NOT NULL,
    request_text TEXT,
    response_text TEXT,
    request_blob BLOB,
    response_blob BLOB
, checks TEXT, recorded_at REAL) STRICT;
INSERT INTO exchanges (sequence, id, workspace, app, device, backend, call, cause, cause_event, cause_exchange, root, attempt, method, url, status, failure_kind, failure_detail, started_at, name_lookup, connect, tls, first_byte, total, request_bytes, response_bytes, condition, remote_address, tokens, sealed, request_headers, response_headers, request_text, response_text, request_blob, response_blob, checks, recorded_at) VALUES (1, 'exc_DewcAhxBi4MyAzbX', 'main', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 'embedded', 'register', 'submit', 6, NULL, 'exc_DewcAhxBi4MyAzbX', 1, 'POST', 'http://127.0.0.1:34983/main/mystica/api/v1/auth/register', 200, NULL, NULL, 1.7954750735801086426e+09, NULL, 0.159, NULL, 168.231215, 168.488, 62, 645, NULL, '127.0.0.1:34983', '["rt_tVD…zMcc","eyJhbG…hrjg"]', '["eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..xQN5PIe4jn5HdR9o.K7F9Ia_U1BM136W5qwycZsRLC6vSCJUoYUT_IuiZs1-QCj_NW_uS0bB-r9qtXA.-WWAiOEzu41yiyyYxNMeZQ","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..B1w29_754MmIEccZ.-pe1nPu_0rszX5SkmsFYuIIJNV7F4E8Gar9PH32At5QXk447cNRU6pq3LyFsTIO6WhQ_QOP-kv8HnfnS11QZJoj6u-ngJbc-Z5YvE0JNpxaKjWcuuvdmCKwT_Z37dLQX6xBtMxxTJWsKmGNvhTybT-3ISxhM3pqL3hgse5R-JQQL6EljWq3UxTZkPsA-EScy8uTD6sjDxKp-sjtHFpEZy_m7Xwai3V8P2VVZWTPGJ3sry8_JVDgBe4RCYQY1pkewUf5cq1k7PFyFMCOeqUI94jgU3X83xRtiLDVtSt7GTEMRs63EyTErRUT0AC69BE7VjbrcOvwyISd33In74RNELKOwprZq3W2FRSkCVwuxGnVJ2UFvL8wzMlEH5NDB-uzib--I-24g1MfgZX4iP0dqXMXoStC1d2xdne6yAkcPGumOygoo0eJ62tiwdfLZ-jL0CpqZ9YwosTQS-wlphK2goFUhA4l3K64ZD8rDAe5dAWDeoAY07lnWi22swPolUMu5EdY6KApcr_eX8mmi-UVMD2ZF37YjrW0DXHjGsgv9PpVUBMBjq62QffePJ3JG5jEZ_kIty0ljnTi7qt56f1z2KBf_s1yJzqY51QxGoXY7dcrOWb0.AMrpxQzrpgGKOEBWK-Z9uA"]', '[["Host","127.0.0.1:34983"],["Accept","application/json"],["Content-Type","application/json"],["User-Agent","Foyer/0.1.0"],["Content-Length","62"]]', '[["Date","Mon, 23 Nov 2026 23:04:33 GMT"],["Content-Type","application/json; charset=utf-8"],["Cache-Control","no-store"],["X-Content-Type-Options","nosniff"],["X-Request-Id","req_Te4SJjWzwoLKZbEw"],["Content-Length","645"]]', '{"email":"landed@example.com","password":"‹password›"}', '{"user":{"id":"a84ce3b3-a91f-4565-9f76-593cd07c5a7d","email":"landed@example.com"},"session":{"access_token":"‹token:1›","refresh_token":"‹token:0›"}}', NULL, NULL, NULL, 1.79547507375337958342e+09);
INSERT INTO exchanges (sequence, id, workspace, app, device, backend, call, cause, cause_event, cause_exchange, root, attempt, method, url, status, failure_kind, failure_detail, started_at, name_lookup, connect, tls, first_byte, total, request_bytes, response_bytes, condition, remote_address, tokens, sealed, request_headers, response_headers, request_text, response_text, request_blob, response_blob, checks, recorded_at) VALUES (2, 'exc_DU3hdasu2kgNMECf', 'main', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 'embedded', 'refresh', 'refresh', NULL, NULL, 'exc_DU3hdasu2kgNMECf', 1, 'POST', 'http://127.0.0.1:34983/main/mystica/api/v1/auth/refresh', 200, NULL, NULL, 1.79547507375969719886e+09, NULL, NULL, NULL, 1.767474, 1.837, 66, 551, NULL, '127.0.0.1:34983', '["rt_tVD…zMcc","eyJhbG…hrjg","eyJhbG…oPeQ","rt_7OW…4TXE"]', '["eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..xQN5PIe4jn5HdR9o.K7F9Ia_U1BM136W5qwycZsRLC6vSCJUoYUT_IuiZs1-QCj_NW_uS0bB-r9qtXA.-WWAiOEzu41yiyyYxNMeZQ","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..B1w29_754MmIEccZ.-pe1nPu_0rszX5SkmsFYuIIJNV7F4E8Gar9PH32At5QXk447cNRU6pq3LyFsTIO6WhQ_QOP-kv8HnfnS11QZJoj6u-ngJbc-Z5YvE0JNpxaKjWcuuvdmCKwT_Z37dLQX6xBtMxxTJWsKmGNvhTybT-3ISxhM3pqL3hgse5R-JQQL6EljWq3UxTZkPsA-EScy8uTD6sjDxKp-sjtHFpEZy_m7Xwai3V8P2VVZWTPGJ3sry8_JVDgBe4RCYQY1pkewUf5cq1k7PFyFMCOeqUI94jgU3X83xRtiLDVtSt7GTEMRs63EyTErRUT0AC69BE7VjbrcOvwyISd33In74RNELKOwprZq3W2FRSkCVwuxGnVJ2UFvL8wzMlEH5NDB-uzib--I-24g1MfgZX4iP0dqXMXoStC1d2xdne6yAkcPGumOygoo0eJ62tiwdfLZ-jL0CpqZ9YwosTQS-wlphK2goFUhA4l3K64ZD8rDAe5dAWDeoAY07lnWi22swPolUMu5EdY6KApcr_eX8mmi-UVMD2ZF37YjrW0DXHjGsgv9PpVUBMBjq62QffePJ3JG5jEZ_kIty0ljnTi7qt56f1z2KBf_s1yJzqY51QxGoXY7dcrOWb0.AMrpxQzrpgGKOEBWK-Z9uA","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..wUqG0VxtkfrmouqI.8VqQ4_ZFFMLz7Vq_6EpPa7Ccn4j0hTN39xg_u7Aps2CKgid9iTl7Bk7vaSi5RE0_eteoRhzfD1AgeWKICP8yNpBvHtV00Wz61YoOHKevLfCVQue2D5ZD7bsWi9FYvKocy01OvB7p5dFZBjwnsj_hOTOe4xASGHcqWFxM2L26qbscl8VyAWMwkB2bKaJdxVkiSjPruYmogKL7VuTuEMxKo1VvVx38K2BJvwpRJExoHcdfQE5jVhDpnnrB-8kS_YL1C32m8KHYhUQzO09RcEl2WSaVy1qrUgohU__W6-Sz0KyKJFJzZpP-_nJB0lDQgcw0fU7sIsl6xdxgLp3q9FVzOIneYyL3pu3_qDSVTAeLoXyt1pAKFNhswDW_rBdvaE-oL-AsR5KFrD--rgd9OqMPkISMxIf5EmpBgnz4LW7AXq_xH7MvAB0k9f4kEzg8pVZ4jkowcKI8b7ZnsJUmJEqpoBmzA-ftKAxX14l17wBx2zkD7e1i_1iUhZPM6MrIjOV3eNgHpmf7Xoyyk-eNrDB48xVxLQPcwSeJHlB5c2ZueZdeqAxjFtKJsVgURZ8WMVL4KMuqbcQXX3zzVDejhF5-Hy4ppf9aV_4K1N21QU4an5cLgv8.ENCU6g5u8S071RS__qv9GA","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..fFUYRciadI1GBYAv.SCJ0xqijXKxBHmcIRFL62R9xM-H--vK1EJRCWFoVFtUeCMxPwrEz6LGjGExs7g.1l2xaoKGjEeTglRbZbl8VQ"]', '[["Host","127.0.0.1:34983"],["Accept","application/json"],["Content-Type","application/json"],["User-Agent","Foyer/0.1.0"],["Content-Length","66"]]', '[["Date","Mon, 23 Nov 2026 23:04:33 GMT"],["Content-Type","application/json; charset=utf-8"],["Cache-Control","no-store"],["X-Content-Type-Options","nosniff"],["X-Request-Id","req_Dbe3rtm6EeXB46fY"],["Content-Length","551"]]', '{"refresh_token":"‹token:0›"}', '{"access_token":"‹token:2›","refresh_token":"‹token:3›"}', NULL, NULL, NULL, 1.79547507376678872103e+09);
CREATE TABLE exchange_totals (
    workspace TEXT PRIMARY KEY,
    every INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    no_answer INTEGER NOT NULL,
    refresh INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO exchange_totals (workspace, every, refused, no_answer, refresh) VALUES ('main', 2, 0, 0, 1);
CREATE TABLE events (
    workspace TEXT NOT NULL,
    id INTEGER NOT NULL,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    app TEXT,
    device TEXT,
    cause INTEGER,
    subject TEXT,
    title TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 1, 1.79547507348884677891e+09, 'device.changed', NULL, 'dev_DEtUnHN3ZA46QEaX', NULL, 'dev_DEtUnHN3ZA46QEaX', 'Landed was made', '{"appearance":"system","biometrics":"none","build":"debug","orientation":"portrait","size":"iphone15","textSize":"default"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 2, 1.79547507352173900604e+09, 'app.launched', 'mystica', 'dev_DEtUnHN3ZA46QEaX', NULL, NULL, 'Mystica started', '{}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 3, 1.79547507355859136584e+09, 'screen.shown', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 2, 'splash', 'splash shown', '{"from":"splash"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 4, 1795475073.56505, 'screen.shown', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 2, 'login', 'login shown', '{"from":"splash"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 5, 1.79547507357983207707e+09, 'screen.shown', 'mystica', 'dev_DEtUnHN3ZA46QEaX', NULL, 'register', 'register shown', '{"from":"login"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 6, 1.79547507357990074154e+09, 'action.submitted', 'mystica', 'dev_DEtUnHN3ZA46QEaX', NULL, 'register', 'Register on register', '{"action":"submit","label":"Register","screen":"register"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 7, 1.79547507374814963336e+09, 'mail.caught', 'mystica', NULL, NULL, 'mail_W9VNS4QbUr33VNeD', 'Mail to landed@example.com: Verify your email', '{"purpose":"verify","request":"req_Te4SJjWzwoLKZbEw","subject":"Verify your email","to":"landed@example.com"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 8, 1.79547507374936652184e+09, 'exchange.ended', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 6, 'exc_DewcAhxBi4MyAzbX', 'POST /main/mystica/api/v1/auth/register 200', '{"attempt":"1","call":"register","cause":"submit","method":"POST","path":"/main/mystica/api/v1/auth/register","request":"req_Te4SJjWzwoLKZbEw","status":"200","total":"168.488"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 9, 1.7954750737515387535e+09, 'storage.written', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 8, 'mystica_access_token', 'mystica_access_token written', '{"area":"keychain","bytes":"467"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 10, 1.79547507375154757501e+09, 'storage.written', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 8, 'mystica_refresh_token', 'mystica_refresh_token written', '{"area":"keychain","bytes":"46"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 11, 1.79547507375154972077e+09, 'storage.written', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 8, 'mystica_user_id', 'mystica_user_id written', '{"area":"keychain","bytes":"36"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 12, 1.79547507375155115123e+09, 'session.began', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 8, 'ses_gDnaT1GHbE27HNnn', 'Signed in as landed@example.com', '{}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 13, 1.79547507375155305855e+09, 'screen.shown', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 8, 'verify', 'verify shown', '{"from":"register"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 14, 1.79547507376202917098e+09, 'exchange.ended', 'mystica', 'dev_DEtUnHN3ZA46QEaX', NULL, 'exc_DU3hdasu2kgNMECf', 'POST /main/mystica/api/v1/auth/refresh 200', '{"attempt":"1","call":"refresh","cause":"refresh","method":"POST","path":"/main/mystica/api/v1/auth/refresh","request":"req_Dbe3rtm6EeXB46fY","status":"200","total":"1.837"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 15, 1.79547507376343870163e+09, 'storage.written', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 14, 'mystica_access_token', 'mystica_access_token written', '{"area":"keychain","bytes":"467"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 16, 1.79547507376344490049e+09, 'storage.written', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 14, 'mystica_refresh_token', 'mystica_refresh_token written', '{"area":"keychain","bytes":"46"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 17, 1.79547507376345825197e+09, 'session.changed', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 14, 'ses_gDnaT1GHbE27HNnn', 'Refreshed by hand', '{"generation":"2","kind":"refreshed"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 18, 1.79547507377327871325e+09, 'snapshot.taken', NULL, 'dev_DEtUnHN3ZA46QEaX', NULL, 'snap_kbBgPJf7GCUMjrUN', 'Snapshot “landed” was taken', '{"name":"landed"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 19, 1.79547507377549743655e+09, 'condition.changed', 'bob', NULL, NULL, 'cnd_tthyUMdCDp6SHMgP', 'Condition offline added', '{"change":"added","kind":"offline","times":"1","used":"0","word":"offline"}');
CREATE TABLE event_ids (
    workspace TEXT PRIMARY KEY,
    reserved INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO event_ids (workspace, reserved) VALUES ('main', 1000019);
CREATE TABLE exchange_worded (upto INTEGER NOT NULL) STRICT;
INSERT INTO exchange_worded (upto) VALUES (0);
CREATE TABLE conditions (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    kind TEXT NOT NULL,
    app TEXT,
    device TEXT,
    call TEXT,
    times INTEGER,
    phase TEXT NOT NULL,
    used INTEGER NOT NULL,
    settings TEXT NOT NULL,
    made_at REAL NOT NULL,
    last_exchange TEXT,
    last_call TEXT,
    last_at REAL
) STRICT;
INSERT INTO conditions (sequence, id, workspace, kind, app, device, call, times, phase, used, settings, made_at, last_exchange, last_call, last_at) VALUES (1, 'cnd_tthyUMdCDp6SHMgP', 'main', 'offline', 'bob', NULL, 'login', 1, 'before', 0, '{"status":null,"body":null,"headers":{},"delay":null,"retryAfter":null,"skew":null,"set":null}', 1.79547507377521777154e+09, NULL, NULL, NULL);
CREATE VIRTUAL TABLE exchange_words USING fts5 (
    url, request_text, response_text,
    content = 'exchanges', content_rowid = 'sequence',
    columnsize = 0, detail = none, prefix = '1 2 3 4 5 6'
);
INSERT INTO exchange_words (exchange_words) VALUES ('rebuild');
CREATE VIRTUAL TABLE exchange_terms
    USING fts5vocab (exchange_words, instance);
CREATE INDEX exchanges_workspace
    ON exchanges (workspace, sequence);
CREATE INDEX exchanges_device
    ON exchanges (workspace, device, sequence);
CREATE INDEX exchanges_app
    ON exchanges (workspace, app, sequence);
CREATE INDEX exchanges_refused
    ON exchanges (workspace, sequence) WHERE status >= 400;
CREATE INDEX exchanges_unanswered
    ON exchanges (workspace, sequence)
    WHERE failure_kind IS NOT NULL;
CREATE INDEX exchanges_caused ON exchanges (root)
    WHERE cause_exchange IS NOT NULL;
CREATE INDEX exchanges_struck
    ON exchanges (workspace, sequence)
    WHERE condition IS NOT NULL;
CREATE INDEX exchanges_call
    ON exchanges (workspace, call, sequence);
CREATE INDEX exchanges_cause
    ON exchanges (workspace, cause, sequence)
    WHERE cause <> 'submit';
CREATE INDEX exchanges_exact
    ON exchanges (workspace, status + 0, sequence);
CREATE INDEX exchanges_family
    ON exchanges (workspace, status / 100, sequence);
CREATE INDEX exchanges_token ON exchanges (workspace, sequence)
    WHERE tokens <> '[]';
CREATE INDEX exchanges_bare ON exchanges (workspace, sequence)
    WHERE tokens = '[]';
