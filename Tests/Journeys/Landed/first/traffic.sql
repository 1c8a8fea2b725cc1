PRAGMA foreign_keys = OFF;
CREATE TABLE foyer_history (
    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO foyer_history (position, name) VALUES (0, 'exchanges-1');
INSERT INTO foyer_history (position, name) VALUES (1, 'events-1');
INSERT INTO foyer_history (position, name) VALUES (2, 'exchanges-2');
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
) STRICT;
INSERT INTO exchanges (sequence, id, workspace, app, device, backend, call, cause, cause_event, cause_exchange, root, attempt, method, url, status, failure_kind, failure_detail, started_at, name_lookup, connect, tls, first_byte, total, request_bytes, response_bytes, condition, remote_address, tokens, sealed, request_headers, response_headers, request_text, response_text, request_blob, response_blob) VALUES (1, 'exc_HgJB4LwQMH4UR5sQ', 'main', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 'embedded', 'register', 'submit', 6, NULL, 'exc_HgJB4LwQMH4UR5sQ', 1, 'POST', 'http://127.0.0.1:34429/main/mystica/api/v1/auth/register', 200, NULL, NULL, 1.79547581676889753338e+09, NULL, 0.215, NULL, 1272.304119, 1302.654, 62, 645, NULL, '127.0.0.1:34429', '["eyJhbG…It8A","rt_-y7…gdzI"]', '["eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..p4DlySnzgEf7eLVc.oyXPaLLziCXABLY5O81WgEoczmsUkkF0Uu_EYaIFgVS5OO_kNLJeWooo8qaic9csLFQCNXjJ5xCd1W2QgBlSYzLUioHLxTmWXM4fexpcnxWV6cydlt0vukiAiaAQUVWyuOncb3SpBMtAyWEtQBkdytcEdl_E1KzeX8hnc0aez5WrZVTcq1kBKFK6wdxywqvuyxMTjsJ4T_e6AWnyt1srhfF6ryxkW2l8M7PFct89kig6j6D62AvJY8qkQ88xq-1qebKp8Z75YdsyNfnOCYGGC-_rq_dF0gkCKgxblFDNi8NxNOxXPExJXpwDhD9eodphMEb7w0Y944bN4UZGvbWcY-kj5dYtJEDd5mnVRZUm4t0M3gGMwmlasG6IMKP7l2cuVufPVdWRBdTAyX9xK0HcJ_xyMW_DCEx4ErVGLrkD5WKnLhiiBXnj37IZIonMrZbbN4W-Qsy7F87r8DBhwm_YKSOBLNkPxdCU9ZQc307kxXMB1idpfPjwVP9xNhylKTyStUHdqpUymmElki6aVzqdtfDv8mI2Q0zFauQ-XYpKOEW7mVfyUc32Q-e3g02C0VUNKbcn8IkYHgEMry09GJBwFRBIj8c2cLzWhtXdpp8AI2jUljU.4I2A7JeQIsSlD-0fLKrH9A","eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0.._ARtJuHIZwr6b14z.yguNVTASg7WJs5LopbqGqty61bnF2OvlxY9gFEea3ed1Og37ketcUNmrL6T90Q.HcXbIjsWguff5iJFrqecow"]', '[["Host","127.0.0.1:34429"],["Accept","application/json"],["Content-Type","application/json"],["User-Agent","Foyer/0.1.0"],["Content-Length","62"]]', '[["Date","Mon, 23 Nov 2026 23:16:58 GMT"],["Content-Type","application/json; charset=utf-8"],["Cache-Control","no-store"],["X-Content-Type-Options","nosniff"],["Content-Length","645"]]', '{"email":"landed@example.com","password":"‹password›"}', '{"user":{"id":"b2834b05-7ad5-418a-b534-e891841906eb","email":"landed@example.com"},"session":{"access_token":"‹token:0›","refresh_token":"‹token:1›"}}', NULL, NULL);
CREATE TABLE exchange_totals (
    workspace TEXT PRIMARY KEY,
    every INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    no_answer INTEGER NOT NULL,
    refresh INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO exchange_totals (workspace, every, refused, no_answer, refresh) VALUES ('main', 1, 0, 0, 0);
CREATE VIRTUAL TABLE exchange_words USING fts5 (
    url, request_text, response_text,
    content = 'exchanges', content_rowid = 'sequence',
    columnsize = 0
);
INSERT INTO exchange_words (exchange_words) VALUES ('rebuild');
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
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 1, 1.79547581627033019067e+09, 'device.changed', NULL, 'dev_JiCBMqJEkMxU2QPk', NULL, 'dev_JiCBMqJEkMxU2QPk', 'Landed was made', '{"biometrics":"none","build":"debug","size":"iphone15"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 2, 1.79547581660667133337e+09, 'app.launched', 'mystica', 'dev_JiCBMqJEkMxU2QPk', NULL, NULL, 'Mystica started', '{}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 3, 1.79547581668571925163e+09, 'screen.shown', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 2, 'splash', 'splash shown', '{"from":"splash"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 4, 1.79547581671636867529e+09, 'screen.shown', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 2, 'login', 'login shown', '{"from":"splash"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 5, 1.79547581676787614823e+09, 'screen.shown', 'mystica', 'dev_JiCBMqJEkMxU2QPk', NULL, 'register', 'register shown', '{"from":"login"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 6, 1.79547581676800632475e+09, 'action.submitted', 'mystica', 'dev_JiCBMqJEkMxU2QPk', NULL, 'register', 'Register on register', '{"action":"submit","label":"Register","screen":"register"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 7, 1.79547581813127779962e+09, 'mail.caught', 'mystica', NULL, NULL, 'mail_HsRdBEbHjSRrzpHj', 'Mail to landed@example.com: Verify your email', '{"purpose":"verify","subject":"Verify your email","to":"landed@example.com"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 8, 1.7954758183962090016e+09, 'exchange.ended', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 6, 'exc_HgJB4LwQMH4UR5sQ', 'POST /main/mystica/api/v1/auth/register 200', '{"attempt":"1","call":"register","cause":"submit","method":"POST","path":"/main/mystica/api/v1/auth/register","status":"200","total":"1302.654"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 9, 1.79547581847072744366e+09, 'storage.written', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 8, 'mystica_access_token', 'mystica_access_token written', '{"area":"keychain","bytes":"467"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 10, 1.79547581847075700756e+09, 'storage.written', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 8, 'mystica_refresh_token', 'mystica_refresh_token written', '{"area":"keychain","bytes":"46"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 11, 1.79547581847076296807e+09, 'storage.written', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 8, 'mystica_user_id', 'mystica_user_id written', '{"area":"keychain","bytes":"36"}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 12, 1.79547581847077202801e+09, 'session.began', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 8, 'ses_ZhbLgiSugMvSEnnL', 'Signed in as landed@example.com', '{}');
INSERT INTO events (workspace, id, at, kind, app, device, cause, subject, title, facts) VALUES ('main', 13, 1.79547581847077846522e+09, 'screen.shown', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 8, 'verify', 'verify shown', '{"from":"register"}');
CREATE TABLE event_ids (
    workspace TEXT PRIMARY KEY,
    reserved INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO event_ids (workspace, reserved) VALUES ('main', 1000013);
CREATE TABLE exchange_worded (upto INTEGER NOT NULL) STRICT;
INSERT INTO exchange_worded (upto) VALUES (1);
CREATE INDEX exchanges_workspace
    ON exchanges (workspace, sequence);
CREATE INDEX exchanges_device
    ON exchanges (workspace, device, sequence);
CREATE INDEX exchanges_app
    ON exchanges (workspace, app, sequence);
CREATE INDEX exchanges_status
    ON exchanges (workspace, status, sequence);
CREATE INDEX exchanges_refused
    ON exchanges (workspace, sequence) WHERE status >= 400;
CREATE INDEX exchanges_unanswered
    ON exchanges (workspace, sequence)
    WHERE failure_kind IS NOT NULL;
CREATE INDEX exchanges_caused ON exchanges (root)
    WHERE cause_exchange IS NOT NULL;
