PRAGMA foreign_keys = OFF;
CREATE TABLE foyer_history (
    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO foyer_history (position, name) VALUES (0, 'devices-1');
CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    devices_made INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO workspaces (id, devices_made) VALUES ('main', 1);
CREATE TABLE devices (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL
        REFERENCES workspaces ON DELETE CASCADE,
    label TEXT NOT NULL,
    build TEXT NOT NULL,
    sensor TEXT NOT NULL,
    enrolled INTEGER NOT NULL,
    next TEXT NOT NULL,
    size TEXT NOT NULL,
    created_at REAL NOT NULL,
    uuid TEXT NOT NULL
) STRICT;
INSERT INTO devices (sequence, id, workspace, label, build, sensor, enrolled, next, size, created_at, uuid) VALUES (1, 'dev_JiCBMqJEkMxU2QPk', 'main', 'Landed', 'debug', 'none', 1, 'match', 'iphone15', 1.79547581617804479598e+09, '975BB6A2-26CF-4A73-95F7-5376C164319D');
CREATE TABLE places (
    id INTEGER PRIMARY KEY,
    device TEXT NOT NULL
        REFERENCES devices (id) ON DELETE CASCADE,
    app TEXT NOT NULL,
    screen TEXT NOT NULL,
    since REAL NOT NULL,
    backend TEXT,
    own TEXT NOT NULL,
    visits TEXT NOT NULL,
    paths TEXT NOT NULL,
    last_path INTEGER,
    UNIQUE (device, app)
) STRICT;
INSERT INTO places (id, device, app, screen, since, backend, own, visits, paths, last_path) VALUES (1, 'dev_JiCBMqJEkMxU2QPk', 'mystica', 'verify', 1.79547581839639043806e+09, NULL, '', '[["splash",1],["login",1],["register",1],["verify",1]]', '[["splash","login",1],["login","register",1],["register","verify",1]]', 2);
CREATE TABLE items (
    place INTEGER NOT NULL
        REFERENCES places ON DELETE CASCADE,
    key TEXT NOT NULL,
    area TEXT NOT NULL,
    value TEXT NOT NULL,
    is_json INTEGER NOT NULL,
    written_at REAL NOT NULL,
    PRIMARY KEY (place, key)
) STRICT, WITHOUT ROWID;
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_access_token', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..1bkFARhjWhsDEkwK.Z3izwoWlKMjkpyhsBPvhC6rIgcJ8ZN51UVustqqcQLKxIZULVkKE3MXanT4cmT_AznsVeXS0bfjXSaXIaP0TCvm5Qb9MBnifMAjAO93ylk97tXJrKjcsnxuepNPKDz9L5SZHes4mR7j7mca-IT1y8_PdwBkl3--OOS6wkQGhh9S97PCWzmifuIHY1ZOY6PPvEYAl0kPuXICgLkgK-Pe5KMyNzTeUjrUlWWvg2580-2bFrecg69Xdb4l--e92hXSBmpLYZYqo0tl_tE6DlBuFgFoeNyx68BfxBeva0ZcbSciFPDRlmWi1bGTbLlUCn4P5Uq-geQ7GbVX5iIa75WOghkEdMUAaaGggpoy79ZjmgVk7JJrIdzJWJCUMLQmCIl-jTdB0TmyhDWOKJhh7uYslBVXzQuTrubTKzeWy-lZ4ocEB1nMU6gjd7aeEybvCT2rDtTcwmG80CExNAs_hXy3cj5rNv3yyH54liZMhvIgFPKn9rBDkaUccRHPNvrhcVi6wEluerYPCUAF5_GDGPXX31eDo-5GeewnZGNm5fhaGdSXbwXOtiqjQzhLJs54i28HE8PBklYa_nUb59Q1Q-vC4w3jEtIk2Mj5yXOzphtT79BN_4vQ.jXnaX_jSbljqguFDvg9QQQ', 0, 1.79547581839639043806e+09);
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_refresh_token', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..BN1tzgA9FXGxHDNG.FLEMQ3NnDrEYK0SdZF9Lo9MPRfRPr8uzTHE3n3HSE0bH9wkHcGiI6uAajIs_2A.3ZVFMXJKCfqsF5dEcmKizg', 0, 1.79547581839639043806e+09);
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_user_id', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AHnWF5UrN_9Cc5S1.RFkOa9vnXXY1RPfbDQfgousBRuMC0N-uYpj8A7dcn-IUmrGB.chi1FODg-aN--EomUvlZWg', 0, 1.79547581839639043806e+09);
CREATE TABLE sessions (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL
        REFERENCES workspaces ON DELETE CASCADE,
    app TEXT NOT NULL,
    device TEXT NOT NULL
        REFERENCES devices (id) ON DELETE CASCADE,
    backend TEXT NOT NULL,
    ended TEXT NOT NULL,
    expires_at REAL,
    created_at REAL NOT NULL,
    refreshed_at REAL,
    ended_at REAL,
    refresh_count INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    user_id TEXT,
    email TEXT,
    label TEXT NOT NULL,
    access TEXT,
    refresh TEXT,
    claims TEXT,
    -- What lists are narrowed by, as words for the search:
    -- hex, so that each is one.
    facets TEXT NOT NULL GENERATED ALWAYS AS (
        'w' || hex(workspace) || ' a' || hex(app)
        || ' b' || hex(backend) || ' d' || hex(device)
        || ' e' || hex(ended)
    ) VIRTUAL
) STRICT;
INSERT INTO sessions (sequence, id, workspace, app, device, backend, ended, expires_at, created_at, refreshed_at, ended_at, refresh_count, generation, user_id, email, label, access, refresh, claims) VALUES (1, 'ses_ZhbLgiSugMvSEnnL', 'main', 'mystica', 'dev_JiCBMqJEkMxU2QPk', 'embedded', '', 1795479418.0, 1.79547581839649677279e+09, NULL, NULL, 0, 1, 'b2834b05-7ad5-418a-b534-e891841906eb', 'landed@example.com', 'Landed', '{"masked":"eyJhbG…It8A","header":{"alg":"ES256","typ":"JWT","kid":"key_2KNkMhVaQ18UKvjs"},"iat":1795475818.0,"exp":1795479418.0,"bytes":467,"at":1795475818.3964968}', '{"masked":"rt_-y7…gdzI","header":null,"iat":null,"exp":null,"bytes":46,"at":1795475818.3964968}', '{"iss":"http://127.0.0.1:34429/main/mystica","sub":"b2834b05-7ad5-418a-b534-e891841906eb","email":"landed@example.com","email_verified":false,"session_id":"e4e056a3-b45c-461f-856c-5ff51449c2fb","iat":1795475818,"exp":1795479418}');
CREATE TABLE session_moments (
    session INTEGER NOT NULL
        REFERENCES sessions ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    generation INTEGER NOT NULL,
    exchange TEXT,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
INSERT INTO session_moments (session, number, at, kind, title, generation, exchange) VALUES (1, 1, 1.79547581839649677279e+09, 'signedIn', 'Signed in as landed@example.com', 1, 'exc_HgJB4LwQMH4UR5sQ');
CREATE TABLE session_totals (
    workspace TEXT NOT NULL,
    ended TEXT NOT NULL,
    sessions INTEGER NOT NULL,
    PRIMARY KEY (workspace, ended)
) STRICT, WITHOUT ROWID;
INSERT INTO session_totals (workspace, ended, sessions) VALUES ('main', '', 1);
CREATE VIRTUAL TABLE session_words USING fts5 (
    user_id, email, label, claims, facets,
    columnsize = 0, prefix = '2 3'
);
INSERT INTO session_words (rowid, user_id, email, label, claims, facets) VALUES (1, 'b2834b05-7ad5-418a-b534-e891841906eb', 'landed@example.com', 'Landed', '{"iss":"http://127.0.0.1:34429/main/mystica","sub":"b2834b05-7ad5-418a-b534-e891841906eb","email":"landed@example.com","email_verified":false,"session_id":"e4e056a3-b45c-461f-856c-5ff51449c2fb","iat":1795475818,"exp":1795479418}', 'w6D61696E a6D797374696361 b656D626564646564 d6465765F4A6943424D714A456B4D78553251506B e');
CREATE TABLE session_unworded (
    sequence INTEGER PRIMARY KEY
) STRICT;
CREATE INDEX devices_workspace
    ON devices (workspace, sequence);
CREATE INDEX sessions_all ON sessions
    (workspace, sequence, ended, expires_at);
CREATE INDEX sessions_ended ON sessions
    (workspace, ended, sequence, expires_at, app, backend);
CREATE INDEX sessions_app ON sessions
    (workspace, app, sequence, ended, expires_at, backend);
CREATE INDEX sessions_backend ON sessions
    (workspace, backend, sequence, ended, expires_at, app);
CREATE INDEX sessions_device ON sessions
    (device, workspace, sequence, ended, expires_at, app);
CREATE INDEX sessions_live ON sessions (device, app)
    WHERE ended = '';
CREATE INDEX sessions_expiry ON sessions
    (workspace, expires_at) WHERE ended = '';
CREATE TRIGGER sessions_added AFTER INSERT ON sessions BEGIN
    INSERT INTO session_totals
    VALUES (new.workspace, new.ended, 1)
    ON CONFLICT DO UPDATE SET sessions = sessions + 1;
    INSERT OR IGNORE INTO session_unworded
    VALUES (new.sequence);
END;
CREATE TRIGGER sessions_counted AFTER UPDATE OF ended
ON sessions WHEN new.ended <> old.ended BEGIN
    UPDATE session_totals SET sessions = sessions - 1
    WHERE workspace = old.workspace AND ended = old.ended;
    INSERT INTO session_totals
    VALUES (new.workspace, new.ended, 1)
    ON CONFLICT DO UPDATE SET sessions = sessions + 1;
END;
CREATE TRIGGER sessions_reworded
AFTER UPDATE OF user_id, email, label, claims, backend, ended
ON sessions
WHEN new.facets IS NOT old.facets
    OR new.user_id IS NOT old.user_id
    OR new.email IS NOT old.email
    OR new.label IS NOT old.label
    OR new.claims IS NOT old.claims
BEGIN
    INSERT OR IGNORE INTO session_unworded
    VALUES (new.sequence);
END;
CREATE TRIGGER sessions_gone AFTER DELETE ON sessions BEGIN
    UPDATE session_totals SET sessions = sessions - 1
    WHERE workspace = old.workspace AND ended = old.ended;
    INSERT OR IGNORE INTO session_unworded
    VALUES (old.sequence);
END;
