PRAGMA foreign_keys = OFF;
CREATE TABLE foyer_history (
    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO foyer_history (position, name) VALUES (0, 'backend-1');
CREATE TABLE workspaces (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO workspaces (id) VALUES ('main');
CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY,
    contract TEXT NOT NULL,
    role TEXT NOT NULL,
    sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (contract, role)
) STRICT;
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_2KNkMhVaQ18UKvjs', 'mystica', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..L8aUJyNoNwfrNWki.TDGyT8K405xRqiHAp3geSLasy8TMqvcbyRm-_N4mQDKhPlgHLtp_IxpWzuIGF-tClQeuq43S-LdCpSEAGhCh3of9YjzXBjcVvR4vx428R1IAPQ7AhCDQtNzBExsh8ZqQK09pMdIfZbrFBHrF_R8NbhQzfm56VSbMRnJhQP7X7JiROXCKuX2FOBPzuoEKx2G1w99yTSu_RkHl6w3ZqVZTt69ReY3KLN-fPaA0OC9wZrmQlKerIpcF_qXYnC9zf7Hdg_x8Y8-RQrPbYxeInx3TT6jY1ARXD_QTBnn0UJg4uYalyJhB0AXQ.Jk60eQVCs5hC5tTaYEib4A', 1795475814581);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_c9BEU5fabaeD4J11', 'mystica', 'device', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..pZeeUYL-A1T2AyqO.vBWU6LbEfR7_PnSGeNsTnqZb5DIObuQq25CFAjUVm-CYhJ8xNGozW7q6Z5bHeYv9u9yRMQpu0XKOEJh0b0nLRUTrGr4-fHqOQUEn6z2Ldg12aGqJ0YzDPM_s-Q22kICH-1hw2a2r5ly3fKr-IfkoCl7E6eyCGQ.-Ug7N_BzimAChRmn7PRh8g', 1795475814585);
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    workspace TEXT NOT NULL,
    contract TEXT NOT NULL,
    email TEXT,
    password_hash TEXT,
    email_verified_at INTEGER,
    disabled_at INTEGER,
    locked_until INTEGER,
    profile TEXT NOT NULL,
    device_id TEXT,
    created_at INTEGER NOT NULL,
    last_login_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO accounts (id, workspace, contract, email, password_hash, email_verified_at, disabled_at, locked_until, profile, device_id, created_at, last_login_at) VALUES ('b2834b05-7ad5-418a-b534-e891841906eb', 'main', 'mystica', 'landed@example.com', '$y$j9T$nq4p7VAVNlvN6pZudUSKN/$PAs/4WumbsuHp0Dt0KoTAsnNleJLJKEa1RY1pLFY2p5', NULL, NULL, NULL, '{}', NULL, 1795475818051, NULL);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL
        REFERENCES accounts ON DELETE CASCADE,
    workspace TEXT NOT NULL,
    contract TEXT NOT NULL,
    generation INTEGER NOT NULL,
    facts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    refreshed_at INTEGER,
    revoked_at INTEGER,
    revoked_because TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO sessions (id, account, workspace, contract, generation, facts, created_at, refreshed_at, revoked_at, revoked_because) VALUES ('e4e056a3-b45c-461f-856c-5ff51449c2fb', 'b2834b05-7ad5-418a-b534-e891841906eb', 'main', 'mystica', 1, '{}', 1795475818051, NULL, NULL, NULL);
CREATE TABLE refresh_tokens (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL
        REFERENCES sessions ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    issued_at INTEGER NOT NULL,
    used_at INTEGER,
    UNIQUE (session, generation)
) STRICT, WITHOUT ROWID;
INSERT INTO refresh_tokens (digest, session, generation, issued_at, used_at) VALUES ('30e083f960d6d14f470d2928d1adc65d081763214c8518ae7f85a83a3afa98bd', 'e4e056a3-b45c-461f-856c-5ff51449c2fb', 1, 1795475818051, NULL);
CREATE TABLE mails (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    contract TEXT NOT NULL,
    recipient TEXT NOT NULL,
    purpose TEXT NOT NULL,
    subject TEXT NOT NULL,
    expires_at INTEGER,
    used_at INTEGER,
    sent_at INTEGER NOT NULL,
    sealed TEXT NOT NULL
) STRICT;
INSERT INTO mails (sequence, id, workspace, contract, recipient, purpose, subject, expires_at, used_at, sent_at, sealed) VALUES (1, 'mail_HsRdBEbHjSRrzpHj', 'main', 'mystica', 'landed@example.com', 'verify', 'Verify your email', 1795562218051, NULL, 1795475818051, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..vmxSvD4HBpzF1V4d.PPYn3wePNHx9q7UG2k23IkG42-MfhiSLOUmd0_xvQzkiTWV3vrMPbxF61AP1EAY28HZc_pC33mwsF0fE-ZwHP9XW-VchqBAHH9ITbaeGzyuYQMKXnWRp-ZjuM94cuIBVpvIg4AMsCkCD0m3QU1j7AitZj-8LM60VwPzYfzu6olgxgXtrPJrwA6JVzfFKcTPWEwiWJvLw62bLHvw2H5EGpnegxjrUiRs-lydaOeC4cnpycoPeesdk6IiX1-xsCJLmBi8qbuqQ1vHFTgpm1PB-CFm_ZYrRFDIl936kJiibadOTx4X-flkvScP5S45lHZ754lquSUFhNXuSIqZUgGPh_bTN70uF_uxVTOD7Wm1YCFLGbusjon3kLoD2Xtq0b5V8WDGbZoMPAPEqcC9pCnmOJcatrZOlVHVaqSYFli5Fadp57x7T-fWM8TCLjwkOdn7toLMiw6zqUOW8oiI3jtk-kVhNuiSfs9Ee_PimxJhLxT2I32RP98JTa1BUnM3reMKcYYR5vtRoh5jr8yhSnWODu_0H4sBlf7wlJXyVjrbukwX_ozQ3x9xuC7zVUq7qFo3jsRIcFLSnCzm9mcYNaMx1C3Xge_dC_51eRmWzSTl4x3y8XJD3AoF5F_tp4lveXm42DjEg44OLgZpcy8VIas6xWfv6InIOcCZgJZ4ChFT5L61nOIVuH-gJ1mbiHL22jJGUpe2Yyu6OrVbRxXzmTx-fvVWHpzBfQP_LKwI6h0GOI1t8S9_2YYSTVCO7AjSELrq9kD1yaGkHCDEyn4DnLBClPZrtFR4RV9Ego7ydeulsmAGxOv2rjc3JnsxlWDZ_cAQ-bNnKmeyBw2VlVWo-W6uzrQlviCVoggA0nyYOv1LpmPWqbfgE72t4FLhoD8qCWpfvLyWgXE6op0R6w214jPbv2_uRSiCuHdhuc3RwKGejuMypGGb0-m-mvBpPYbxvNFSILNcYg6utZRxVD0V6CUn2Mp65M2afBl2NkarmaWc9ZeZwHN4tyQsyEeJ_JFz5_ySphZWFgHT91ST3y13no3c_b75TeUHGmdj14O-rvUPUvfBwdaxN6TTd5I2JyMmfVLBHcbV0fzc1Ds4GxO6FOvwXGv_bW42s1WxXjWQeFU663iYM3mjNHpv93CXnNwrGQZdK3u7soMwOl_a5-SdwlqlYgg5MU6oFPLx6jxaU1O0VVT-BppYtzt0ogOk1cixxKAj622WeYKn70lKWCjxYoEHam-tiOSJdawR6f65cFmWJDPxlwrW7oXUYLbnxOAX3eA-39Zm5anA6FVwzL8rS7FpaYSVcDIXUrZdQOo0a8gxASdMrXfmAYbvs128_3qfKxv_956GGzQfjauayrT3EoKGC5YyJo0i1Z14bMF5s_4wpOxDqQ4sW894QqZRIWsCEkO6YjgxM0kiM6FVtfDZY8nSO7WNyTyJwhXizwQtICyWbkRVIxrznv_HEsby_9Rek8q4Rs9rnTKP3SbKBr7ktY6pOnrXoCblOravnmH8dTXiVHhoq0VS8pGUWrtzlcx0pt_smgJhIwUKtacAsnebaJnGcaXqE3fDNc5rOLOJaiNJHMmPtufn1lKCPNUwOPVgwkhr-PnEMnViLe2UT5kc8pL7AzoRBN46VG53P2bpvJ2lVyOCSinSlSMLSa2b7lsYNvAkFqnNDlEYewfrbyEx46lGHolzzSxJqgdqH5-yNrCM8890tm8O7F1qmHcsIeSMam9bQdMjUtBMAe2B0lyrsD0lcfhYcIQ4ziuOmGZwj3O2shz9xvx97KNOT7JaIvfRmB0UuwqVYvEz4f_5LXEGbWvB2uq39Bb1hY700RkvSzGsJQPv7etA5O6jLJNJLJEEXMw8gK96DNDySDgXHfeqHmOjtCOj2VdKiwcY78Fper0_pJkO0hNAcuPj2fyUpZpqrezYmjVXVWmk4xdJZ4eq1L_Mcw8iWBSY6KTiKyjbul10pXRvSOhwVSkrE8j8BjJWLnUn4UwybWk0asHcjm8BxTYPg4IB34RbQSn50lQuBGsKzFbuPmGfEeA2UMB488dvSC75KVSPXSraMB9CEuvveZ3bZiy6etehZTj3kXQ8pOCt91HZcZ4ibO_Um4Cu-Q5jrMoWJlFUZVPoniu2DnTEEojG41LuF2OxFi0OENXEdoR5KtghpH2QURd_LDhpeFq1wfmL67LgOhclpMLL9ZRFL2UQHI_2FUDJN8QtCVebFyECQ8Z5-s2xZg6F_mo8IZGTGyij6Z2zI1xD7P7FXu2AK0hbG3AZHA1b_DNJZ8100srMCbBiBSc2zJDcXwAGvgKJBu9FlehgBkNhZkphQ6rmCX00ftnAMIPqbGuMg4Qpo5VG0Mn2AaiyEH7FoF6GyRfD2oQ8OAbYYWB8g7dkuYu0w-MGoKj-oDT6UXY1wUk-a-ND-wC3w8zlKMi1zmqkmZETyaJCklDsXe4i1gOkNLAaUjK8veNTC3MgN3OmtheGJO-MpspYRNSBlp1pk3DDX_iI.Ag3LIQsCcW0jtXRTDvMCcg');
CREATE TABLE challenges (
    digest TEXT PRIMARY KEY,
    account TEXT REFERENCES accounts ON DELETE CASCADE,
    workspace TEXT NOT NULL,
    contract TEXT NOT NULL,
    purpose TEXT NOT NULL,
    email TEXT NOT NULL,
    mail TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    replaced_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO challenges (digest, account, workspace, contract, purpose, email, mail, attempts, created_at, expires_at, used_at, replaced_at) VALUES ('7774c37061cf756cd423a8f002d78317da09f43c61df3b67a4fd3069fbe72a62', 'b2834b05-7ad5-418a-b534-e891841906eb', 'main', 'mystica', 'verify', 'landed@example.com', 'mail_HsRdBEbHjSRrzpHj', 0, 1795475818051, 1795562218051, NULL, NULL);
CREATE TABLE mail_requests (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    contract TEXT NOT NULL,
    email TEXT NOT NULL,
    purpose TEXT NOT NULL,
    outcome TEXT NOT NULL,
    free_at INTEGER,
    requested_at INTEGER NOT NULL
) STRICT;
INSERT INTO mail_requests (sequence, workspace, contract, email, purpose, outcome, free_at, requested_at) VALUES (1, 'main', 'mystica', 'landed@example.com', 'verify', 'sent', NULL, 1795475818051);
CREATE UNIQUE INDEX accounts_by_email
    ON accounts (workspace, contract, email);
CREATE UNIQUE INDEX accounts_by_device
    ON accounts (workspace, contract, device_id);
CREATE INDEX sessions_by_account ON sessions (account);
CREATE INDEX mails_by_workspace
    ON mails (workspace, sequence);
CREATE INDEX mails_by_recipient
    ON mails (workspace, recipient, sequence);
CREATE INDEX challenges_by_account ON challenges (account);
CREATE INDEX challenges_by_email
    ON challenges (workspace, contract, email, purpose);
CREATE INDEX mail_requests_by_email ON mail_requests
    (workspace, email, contract, purpose, sequence);
CREATE INDEX mail_requests_by_workspace
    ON mail_requests (workspace, sequence);
