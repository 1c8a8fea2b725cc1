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
INSERT INTO exchanges (sequence, id, workspace, app, device, backend, call, cause, cause_event, cause_exchange, root, attempt, method, url, status, failure_kind, failure_detail, started_at, name_lookup, connect, tls, first_byte, total, request_bytes, response_bytes, condition, remote_address, tokens, sealed, request_headers, response_headers, request_text, response_text, request_blob, response_blob, checks, recorded_at) VALUES (1, 'exc_iGHyEJbe1Z8EV8uD', 'main', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 'embedded', 'register', 'submit', 6, NULL, 'exc_iGHyEJbe1Z8EV8uD', 1, 'POST', 'http://127.0.0.1:33009/main/mystica/api/v1/auth/register', 200, NULL, NULL, 1795476538.30589, NULL, 0.179, NULL, 174.013529, 174.447, 62, 645, NULL, '127.0.0.1:33009', '["eyJhbG…Y6_Q","rt_Vl5…LLCg"]', '["eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..S6SnxzJuH9-dp8ou.CLUKK5M4_Z1BlwS8hG-7hafid6F_ye14pRWznqcRQGxyJwl4rdunuhmoOamFftnHkY2_CVUSbaRuB85uSndXHLa6p9OlP42x_BRKOCcjuuQXprb_eF5lzX1es3lnzRuS7SOVwFAVrS31uP3WVoqYnw6eNv5xusdq-hqdGRLcwBQvEMLW4wHghAzYdyHFxYEBvOZ8hUoHTQmMOSwWKg7SYHYv5mv5gQ2yTAYuCVo-oCNaeo6ftAjEspdH9zxfBWLW2wGjdiH6NocpDHyfOgMa1lHqv6pDr4SP5DwCbJnfVQqppqWP0Rlr5hMDDSDasz8yXtcfu0WvdmW3o83Ul36CFeeAk1at1pOG71_BBgMDKIY0DEiFJva29zcLOOrjrkdV0gsqRGAT-e3oA9PugJ8v1yNKpJQ6Xda4Y7Q9s-GTd2y90Qvy1zPCKgLbuzte40ZemCxVF_z95YL8ZamA-st-BLeYmZ_tXRbY_zGce-kq1wHhC1YUwf-ihAWQc42uCql-3ShGITYIkMzlSzAJDyrqvfOQ1CAMs5FsZ37qZZ07IBn4w-JNdQtQ9kM5lFXoB2c3GVOiRkcL-6JJpMxwQJukHCsKwTtoLqpFrwJYcWsxFkwUp7U.Br4x45d9ijEaTnfEm1Ug3g","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..b9peEUsVxmq75pUR.7Wta1ebRfIxeRX2ym8BaAF1qEeu-MgD3B4jTHjpeJHWBJ7qKm6Pz-UllTc_usw.hjVIEPkyXlnjDHU8RMwvAQ"]', '[["Host","127.0.0.1:33009"],["Accept","application/json"],["Content-Type","application/json"],["User-Agent","Foyer/0.1.0"],["Content-Length","62"]]', '[["Date","Mon, 23 Nov 2026 23:28:58 GMT"],["Content-Type","application/json; charset=utf-8"],["Cache-Control","no-store"],["X-Content-Type-Options","nosniff"],["X-Request-Id","req_8sfdjbqCBCaxC4Ut"],["Content-Length","645"]]', '{"email":"landed@example.com","password":"‹password›"}', '{"user":{"id":"5594060a-78c6-4f2d-9205-721ec3592b47","email":"landed@example.com"},"session":{"access_token":"‹token:0›","refresh_token":"‹token:1›"}}', NULL, NULL, NULL, 1.79547653848746585842e+09);
INSERT INTO exchanges (sequence, id, workspace, app, device, backend, call, cause, cause_event, cause_exchange, root, attempt, method, url, status, failure_kind, failure_detail, started_at, name_lookup, connect, tls, first_byte, total, request_bytes, response_bytes, condition, remote_address, tokens, sealed, request_headers, response_headers, request_text, response_text, request_blob, response_blob, checks, recorded_at) VALUES (2, 'exc_P49DJUVTEZ5KSYP8', 'main', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 'embedded', 'refresh', 'refresh', NULL, NULL, 'exc_P49DJUVTEZ5KSYP8', 1, 'POST', 'http://127.0.0.1:33009/main/mystica/api/v1/auth/refresh', 200, NULL, NULL, 1.79547653858417129513e+09, NULL, NULL, NULL, 35.948909, 36.103, 66, 551, NULL, '127.0.0.1:33009', '["eyJhbG…Y6_Q","rt_Vl5…LLCg","rt_N1H…PZZw","eyJhbG…wnfw"]', '["eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..S6SnxzJuH9-dp8ou.CLUKK5M4_Z1BlwS8hG-7hafid6F_ye14pRWznqcRQGxyJwl4rdunuhmoOamFftnHkY2_CVUSbaRuB85uSndXHLa6p9OlP42x_BRKOCcjuuQXprb_eF5lzX1es3lnzRuS7SOVwFAVrS31uP3WVoqYnw6eNv5xusdq-hqdGRLcwBQvEMLW4wHghAzYdyHFxYEBvOZ8hUoHTQmMOSwWKg7SYHYv5mv5gQ2yTAYuCVo-oCNaeo6ftAjEspdH9zxfBWLW2wGjdiH6NocpDHyfOgMa1lHqv6pDr4SP5DwCbJnfVQqppqWP0Rlr5hMDDSDasz8yXtcfu0WvdmW3o83Ul36CFeeAk1at1pOG71_BBgMDKIY0DEiFJva29zcLOOrjrkdV0gsqRGAT-e3oA9PugJ8v1yNKpJQ6Xda4Y7Q9s-GTd2y90Qvy1zPCKgLbuzte40ZemCxVF_z95YL8ZamA-st-BLeYmZ_tXRbY_zGce-kq1wHhC1YUwf-ihAWQc42uCql-3ShGITYIkMzlSzAJDyrqvfOQ1CAMs5FsZ37qZZ07IBn4w-JNdQtQ9kM5lFXoB2c3GVOiRkcL-6JJpMxwQJukHCsKwTtoLqpFrwJYcWsxFkwUp7U.Br4x45d9ijEaTnfEm1Ug3g","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..b9peEUsVxmq75pUR.7Wta1ebRfIxeRX2ym8BaAF1qEeu-MgD3B4jTHjpeJHWBJ7qKm6Pz-UllTc_usw.hjVIEPkyXlnjDHU8RMwvAQ","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..02DtFX76rO58XOTs.lgMlgZg1WLsN2blPSlpEb1JyajjAaqELTRkvEz4wXBEFO8dLaO6O-fFcfTJKxw.4mV91hLCJRw5yQhlddM5SA","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..iWl34y-D3fG7Amax.1J8DHihIccQ-kGehQeGRUuR_t8iUNuxJOuEN6MWAdVDh1UJCGtpk3ItaLKicR1104IslDGWXeD-TLtMJXjZHtEfmBO3sL52VRVm9bDhSviYoq1E5l1GASdg-BSzgH7otXPFb9DDWhDk2xmXftZw87_M-KUq9hCGuF5TXvtTJpGuyCEfgX8RKI6qTIqP3E7ZboFbc85Ssro7IsHH74SvDjhlAJ5AdUSO0TP9wIq9Ad_QaUHj4vCAPS703zzHM5Du5GhaxAY2OWa3ZlRgxKs7nKNZlE4GPkyIHC8eO579oQLeMHSqDnK3GZNJcTKV1YkdChvSXqHiuHogH6w0aTu-oipx3s_f4jqhKFxU6vZkyEQ4ViwsoEMXJ1Mkzo9jNIMWLm6EP9pglWthPLtm4p0npA5f6JHWrjCPTC36YNR6nHnFZQV-kQI-r6ChTNrT_Ns_nG_Jmznz_vORbt8HxhJVeAjpbXcwaXeU3cAAJmGOOE0-dDo5RcDJG3aRyDrlX8tGxTIrhZFAL7hwpCVj4zQrYr-x8aqYhoXXy2UJxMsLz9rL-yanKvtVIr_gffU-I1aJy2sOtq0ac0F29spvDJo6xDcNXuHOmLAM6og_WmUTw_0AFL7c.RIav7jBV0UwNSH2_MXMxWg"]', '[["Host","127.0.0.1:33009"],["Accept","application/json"],["Content-Type","application/json"],["User-Agent","Foyer/0.1.0"],["Content-Length","66"]]', '[["Date","Mon, 23 Nov 2026 23:28:58 GMT"],["Content-Type","application/json; charset=utf-8"],["Cache-Control","no-store"],["X-Content-Type-Options","nosniff"],["X-Request-Id","req_Hb9ZB7rTue8hTkP1"],["Content-Length","551"]]', '{"refresh_token":"‹token:1›"}', '{"access_token":"‹token:3›","refresh_token":"‹token:2›"}', NULL, NULL, NULL, 1.7954765386296610832e+09);
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
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 1, 1.79547653827761769301e+09, 'device.changed', NULL, 'dev_KaU6GCLwfDmCQyfC', NULL, 'dev_KaU6GCLwfDmCQyfC', 'Landed was made', '{"appearance":"system","biometrics":"none","build":"debug","orientation":"portrait","size":"iphone15","textSize":"default"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 2, 1.79547653829428911212e+09, 'app.launched', 'mystica', 'dev_KaU6GCLwfDmCQyfC', NULL, NULL, 'Mystica started', '{}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 3, 1.79547653829602670665e+09, 'screen.shown', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 2, 'splash', 'splash shown', '{"from":"splash"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 4, 1.79547653829708719255e+09, 'screen.shown', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 2, 'login', 'login shown', '{"from":"splash"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 5, 1.79547653830480670933e+09, 'screen.shown', 'mystica', 'dev_KaU6GCLwfDmCQyfC', NULL, 'register', 'register shown', '{"from":"login"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 6, 1.79547653830493164064e+09, 'action.submitted', 'mystica', 'dev_KaU6GCLwfDmCQyfC', NULL, 'register', 'Register on register', '{"action":"submit","label":"Register","screen":"register"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 7, 1.79547653847945594789e+09, 'mail.caught', 'mystica', NULL, NULL, 'mail_Wx8X95hGiMRY6vBH', 'Mail to landed@example.com: Verify your email', '{"purpose":"verify","request":"req_8sfdjbqCBCaxC4Ut","subject":"Verify your email","to":"landed@example.com"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 8, 1.7954765384823875427e+09, 'exchange.ended', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 6, 'exc_iGHyEJbe1Z8EV8uD', 'POST /main/mystica/api/v1/auth/register 200', '{"attempt":"1","call":"register","cause":"submit","method":"POST","path":"/main/mystica/api/v1/auth/register","request":"req_8sfdjbqCBCaxC4Ut","status":"200","total":"174.447"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 9, 1.79547653850296354293e+09, 'storage.written', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 8, 'mystica_access_token', 'mystica_access_token written', '{"area":"keychain","bytes":"467"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 10, 1.79547653850302386287e+09, 'storage.written', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 8, 'mystica_refresh_token', 'mystica_refresh_token written', '{"area":"keychain","bytes":"46"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 11, 1.79547653850303077704e+09, 'storage.written', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 8, 'mystica_user_id', 'mystica_user_id written', '{"area":"keychain","bytes":"36"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 12, 1.7954765385030422211e+09, 'session.began', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 8, 'ses_P4yRtSEEB4VkPvar', 'Signed in as landed@example.com', '{}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 13, 1.79547653850305032724e+09, 'screen.shown', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 8, 'verify', 'verify shown', '{"from":"register"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 14, 1.79547653862180685993e+09, 'exchange.ended', 'mystica', 'dev_KaU6GCLwfDmCQyfC', NULL, 'exc_P49DJUVTEZ5KSYP8', 'POST /main/mystica/api/v1/auth/refresh 200', '{"attempt":"1","call":"refresh","cause":"refresh","method":"POST","path":"/main/mystica/api/v1/auth/refresh","request":"req_Hb9ZB7rTue8hTkP1","status":"200","total":"36.103"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 15, 1.79547653863949966432e+09, 'storage.written', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 14, 'mystica_access_token', 'mystica_access_token written', '{"area":"keychain","bytes":"467"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 16, 1.79547653863953447341e+09, 'storage.written', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 14, 'mystica_refresh_token', 'mystica_refresh_token written', '{"area":"keychain","bytes":"46"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 17, 1.79547653863955926898e+09, 'session.changed', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 14, 'ses_P4yRtSEEB4VkPvar', 'Refreshed by hand', '{"generation":"2","kind":"refreshed"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 18, 1.79547653866478586193e+09, 'snapshot.taken', NULL, 'dev_KaU6GCLwfDmCQyfC', NULL, 'snap_DQt1NL8of9aSnaJL', 'Snapshot “landed” was taken', '{"name":"landed"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 19, 1.79547653866988921166e+09, 'condition.changed', 'bob', NULL, NULL, 'cnd_kD4pXEoLQyXQbYU8', 'Condition offline added', '{"change":"added","kind":"offline","times":"1","used":"0","word":"offline"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('ws_xViGgpEdVBAQbLbL', 1, 1.79547653867929077149e+09, 'device.changed', NULL, 'dev_EnBB61DwhKrdNtQU', NULL, 'dev_EnBB61DwhKrdNtQU', 'Device 1 was made', '{"appearance":"system","biometrics":"none","build":"debug","orientation":"portrait","size":"iphone15","textSize":"default"}');
CREATE TABLE event_ids (
    workspace TEXT PRIMARY KEY,
    reserved INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO event_ids (workspace, reserved) VALUES ('main', 1000019);
INSERT INTO event_ids (workspace, reserved) VALUES ('ws_xViGgpEdVBAQbLbL', 1000001);
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
INSERT INTO conditions (sequence, id, workspace, kind, app, device, call, times, phase, used, settings, made_at, last_exchange, last_call, last_at) VALUES (1, 'cnd_kD4pXEoLQyXQbYU8', 'main', 'offline', 'bob', NULL, 'login', 1, 'before', 0, '{"status":null,"body":null,"headers":{},"delay":null,"retryAfter":null,"skew":null,"set":null}', 1.79547653866924333569e+09, NULL, NULL, NULL);
CREATE VIRTUAL TABLE exchange_words USING fts5 (
    url, request_text, response_text,
    content = 'exchanges', content_rowid = 'sequence',
    columnsize = 0, detail = none, prefix = '2 3 4 5 6'
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
