PRAGMA foreign_keys = OFF;
CREATE TABLE foyer_history (
    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO foyer_history (position, name) VALUES (0, 'devices-1');
INSERT INTO foyer_history (position, name) VALUES (1, 'devices-2');
INSERT INTO foyer_history (position, name) VALUES (2, 'session-tokens-1');
INSERT INTO foyer_history (position, name) VALUES (3, 'devices-snapshots');
INSERT INTO foyer_history (position, name) VALUES (4, 'devices-restores');
INSERT INTO foyer_history (position, name) VALUES (5, 'session-words-2');
INSERT INTO foyer_history (position, name) VALUES (6, 'devices-display');
INSERT INTO foyer_history (position, name) VALUES (7, 'session-words-3');
INSERT INTO foyer_history (position, name) VALUES (8, 'session-standing-1');
INSERT INTO foyer_history (position, name) VALUES (9, 'flow-1');
INSERT INTO foyer_history (position, name) VALUES (10, 'session-moments-2');
CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    devices_made INTEGER NOT NULL
, label TEXT NOT NULL DEFAULT '', created_at REAL NOT NULL DEFAULT 0, expires_at REAL, clock_offset REAL NOT NULL DEFAULT 0, frozen_at REAL, run INTEGER) STRICT, WITHOUT ROWID;
INSERT INTO workspaces (id, devices_made, label, created_at, expires_at, clock_offset, frozen_at, run) VALUES ('main', 1, '', 0.0, NULL, 0.0, NULL, 0);
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
, orientation TEXT NOT NULL DEFAULT 'portrait', appearance TEXT NOT NULL DEFAULT 'system', text_size TEXT NOT NULL DEFAULT 'default') STRICT;
INSERT INTO devices (sequence, id, workspace, label, build, sensor, enrolled, next, size, created_at, uuid, orientation, appearance, text_size) VALUES (1, 'dev_DEtUnHN3ZA46QEaX', 'main', 'Landed', 'debug', 'none', 1, 'match', 'iphone15', 1.79547507345664095874e+09, 'A4830871-D8D6-48AD-877C-35376C523886', 'portrait', 'system', 'default');
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
INSERT INTO places (id, device, app, screen, since, backend, own, visits, paths, last_path) VALUES (1, 'dev_DEtUnHN3ZA46QEaX', 'mystica', 'verify', 1.79547507374942255024e+09, NULL, '', '[["splash",1],["login",1],["register",1],["verify",1]]', '[["splash","login",1],["login","register",1],["register","verify",1]]', 2);
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
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_access_token', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..o-xCCFWXKx7i5fC0.jiHS3OPbpm5Qnpjus-GNfScu6lSTs-GWokKU1pZWBQsKInxSMnZtOEFOVP8mTd_MyAjQ5MePDB9lcdkrHdpccfJxfpAxVJ8Kvuwybk4s-KvmEl-0NXmt-9k0DDq2U1IZ4DOBZP8EX40vQEafqXN5as-R2JiEOEgPLofRoNJK_z0gB8b2oXDxXK55UsOBkAp-bhgK71cyEMCtj042rc0HSzjJSqm5_6fRLvpZw8YgNlGAfI-uQx0q7MSem0wSW9B43sCO7AohnmzAxDUUjKZG3IKoZA5OC0As8AgqMEadfWM1tkHAb-j9CVKbR8GXpU0lWCA91Hvs5J0tQEeKLXG2C5_d5nRICWwSmiSZFJo3hXLkMUMz-5rJdW9nh_GQc4HCkbCXlij5MUuRV5g-zS3otYcQqhFtFQwbDdElGWtr80M56hpgZoZHphMkVg_LH2Ad3nwzrTfeYRoXa7eQ-lNuaD9DLsyQMzwb4ptIKLW220x7x75XJsKTnVu2e-hY-H0LqjOwGE5p9k9PVkoT47Vw_6pt5I2KDDt-Xy6ee2HD1MELKQsiqX-9qmIkjLUpmA1FfYPIKSklYYw-ltKv3JTnPDU23aE2zDxHjWAJGcLl0FuO84U.NQf7QiH4H1UW9f7f6j4fpA', 0, 1.79547507376205730438e+09);
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_refresh_token', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..47jiHNG_a5ZxTIkt.A6UP4sLIUmDK4Pm-d_VkP0pPlAm8xWYPqItPFbtxodGOfg27hx5VVXanlanUHA.gIXrYA52r8_YCXN6ERZivw', 0, 1.79547507376205730438e+09);
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_user_id', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..7pYbKz6p-tmvcDby.kRkn-v4BFhfFdw1INyIJrRGFSl9GROotwwC1LKYHt-XufDaJ.wsdCEnHNIG6DnGvEgS-Wfw', 0, 1.79547507374942255024e+09);
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
, disagreements INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO sessions (sequence, id, workspace, app, device, backend, ended, expires_at, created_at, refreshed_at, ended_at, refresh_count, generation, user_id, email, label, access, refresh, claims, disagreements) VALUES (1, 'ses_gDnaT1GHbE27HNnn', 'main', 'mystica', 'dev_DEtUnHN3ZA46QEaX', 'embedded', '', 1795478673.0, 1.79547507374946689606e+09, 1.79547507376209211343e+09, NULL, 1, 2, 'a84ce3b3-a91f-4565-9f76-593cd07c5a7d', 'landed@example.com', 'Landed', '{"masked":"eyJhbG…oPeQ","header":{"alg":"ES256","typ":"JWT","kid":"key_EQf8nB1ZMEyqfWsg"},"iat":1795475073.0,"exp":1795478673.0,"bytes":467,"at":1795475073.762092}', '{"masked":"rt_7OW…4TXE","header":null,"iat":null,"exp":null,"bytes":46,"at":1795475073.762092}', '{"iss":"http://127.0.0.1:34983/main/mystica","sub":"a84ce3b3-a91f-4565-9f76-593cd07c5a7d","email":"landed@example.com","email_verified":false,"session_id":"f1261f04-9c49-4f52-9316-71cafca0d980","iat":1795475073,"exp":1795478673}', 0);
CREATE TABLE session_moments (
    session INTEGER NOT NULL
        REFERENCES sessions ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    generation INTEGER NOT NULL,
    exchange TEXT, token INTEGER,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
INSERT INTO session_moments (session, number, at, kind, title, generation, exchange, token) VALUES (1, 1, 1.79547507374946689606e+09, 'signedIn', 'Signed in as landed@example.com', 1, 'exc_DewcAhxBi4MyAzbX', NULL);
INSERT INTO session_moments (session, number, at, kind, title, generation, exchange, token) VALUES (1, 2, 1.79547507376209211343e+09, 'refreshed', 'Refreshed by hand', 2, 'exc_DU3hdasu2kgNMECf', NULL);
CREATE TABLE session_totals (
    workspace TEXT NOT NULL,
    ended TEXT NOT NULL,
    sessions INTEGER NOT NULL,
    PRIMARY KEY (workspace, ended)
) STRICT, WITHOUT ROWID;
INSERT INTO session_totals (workspace, ended, sessions) VALUES ('main', '', 1);
CREATE TABLE session_unworded (
    sequence INTEGER PRIMARY KEY
) STRICT;
INSERT INTO session_unworded (sequence) VALUES (1);
CREATE TABLE session_tokens (
    session INTEGER NOT NULL
        REFERENCES sessions ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    generation INTEGER NOT NULL,
    branch TEXT NOT NULL,
    held TEXT NOT NULL,
    claims TEXT,
    sealed TEXT NOT NULL,
    exchange TEXT,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
INSERT INTO session_tokens (session, number, kind, generation, branch, held, claims, sealed, exchange) VALUES (1, 1, 'access', 1, 'own', '{"masked":"eyJhbG…hrjg","header":{"alg":"ES256","typ":"JWT","kid":"key_EQf8nB1ZMEyqfWsg"},"iat":1795475073.0,"exp":1795478673.0,"bytes":467,"at":1795475073.749467}', '{"iss":"http://127.0.0.1:34983/main/mystica","sub":"a84ce3b3-a91f-4565-9f76-593cd07c5a7d","email":"landed@example.com","email_verified":false,"session_id":"f1261f04-9c49-4f52-9316-71cafca0d980","iat":1795475073,"exp":1795478673}', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..kQ2W_jx4y8IlzIoA.YHhtDmu26P78TCURGRpMRmCffnV3fdqlItawhU2VSWyWHRXPsDiOTWEslehzto1XGfABf5Ze-L3K3lsDaQ-wWBLkCNX4T1uxGw4jHUHuHgL2gmwgbpyKy8eIE7zmXKOwHQfz_JfIB_enCgCCMYJ_unSlgfRErKAwYu-Cl2qwKxS3_b7Lgae_0MREMvS7ll1JY51AsoEMM8aTEQ79zoqaEUE2xLoMplAf8SubGX3WFk6Afold0aTiEQ0svn-2PbxHypUFTnLJrfPASmiMGuc-X64v3ixzyw1ipVExnOasEhgZACNjy9v2YGFTnZp8BeWCeoM4CYFHo8lyegzGmIeaTf0z9MGKd6Hc6Q6Ieor_2k2CbJBlLFqfplKAQgZTURib-hNkeGBzDt8u3taDDh2zsmHBZX9My2tEte5okbO8XJeMXb_ZttQlKnCjFohlrk3Y1t0Pj2mgpLpaehd5Wfyl5OUtEQBL81WEC0DSq9dyQsRJp54gpmvFvQIinvFz0ZBn3ysNCCX41kA72sP4a45ce5npY7R7siadRKpFTo3LSFytvhYB35K0tMJelyvxAmdHwmag5frY4CefFoAcuP7whXmUNxw6LBPuAhqRBDEKBZuDiYs.U-RM0EOIeCtAMv6Fdzbx8g', NULL);
INSERT INTO session_tokens (session, number, kind, generation, branch, held, claims, sealed, exchange) VALUES (1, 2, 'refresh', 1, 'own', '{"masked":"rt_tVD…zMcc","header":null,"iat":null,"exp":null,"bytes":46,"at":1795475073.749467}', NULL, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..2HiC_zVc6VPDbnaW.6WJINtu9YW8BF6Iseu7oOMG-ri6L9O-bLUySn5Ks3MvwNfB56Y7nn3YHB5RL-Q.Llo6wnvjPzHAk-rRXHkoYg', NULL);
CREATE TABLE snapshots (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL
        REFERENCES workspaces ON DELETE CASCADE,
    name TEXT NOT NULL,
    device TEXT NOT NULL,
    app TEXT,
    contracts TEXT NOT NULL,
    apps TEXT NOT NULL,
    taken_at REAL NOT NULL,
    bytes INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
INSERT INTO snapshots (sequence, id, workspace, name, device, app, contracts, apps, taken_at, bytes, body) VALUES (1, 'snap_kbBgPJf7GCUMjrUN', 'main', 'landed', 'dev_DEtUnHN3ZA46QEaX', NULL, '["bob","clarity","mystica","socoto","wall"]', '["mystica"]', 1.79547507376975202563e+09, 2155, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..dHjrct55bFZj7NpG.vOjZVQb5d1eyVtoWDxeaxLenyoGfBW36x0ualDcmA3La1K89qFL2qTLTqrlpvtZLRj1bzP0X8jMH0H4aAXjF3BRV9eXZwGShMzGJ6mtrla6BoBkDGKm3meDvD_xcvwihyVfEvBtfVonAVGJH9HbK1F8TlnRzBZEii6gDDxE426ldMYFaXZKjR3s67maNZoE8CyI61cG_6n0bRhUtJLTggQnC8hq597uqWUOUiIHOBBlysbFX3htmSRE6PfbpOhbqJkTH9tFBNyNuwqR1X_aAhfL78eSwvioNj9aVvv99dYqV5yI-ZvGVSEIvretvfuSkYkMghCWEvp2CIqrq1A_Wo62LwH5wrCBz7YjRqBGzeGYYM1LLm6C9hv6KnFBhGePmdObBYzQP7dw4MsAsprh-ItY6kn7VpyZSuSDi8jyWcR96Zp3PdQB7w0FwjYeAFkfcUZdk2MWCKiK8lFkStXW023DmQvq8vCzzUlMqLS9wrTh-G3iMSjJY-Ovyh6jma4dlOhZKzlmv3tWT3GKS9TRHy3b7Yz8s3Vpdqj2G38uiBHWlxQzw2MWyhCRGap9JywrkehCzyT6dGUPSuL-f4JjMR1EuX05xKRz067epJ9BQKJKYcNtcieLMutLEZ5ve84oda5dlY6YnsXZsR0HATXeXkYN88HrN216wQZ0cqVuHnDAmZug44cyN-l3AkYhiC0KPrhD2rK-sxZvqKPYuOfM-dQzOYeBIDAI7TmRcauEcGZAFELt5KR0LQ1IWN8cWfArTqJ5JtpK2ptlHv49FamV3KHgWkCAUIpphLNxzqJ9NJMH9yfG2oSODSTG9iYlPnBJSJa6lpbCeUItAF0Pr6ClciBlo3m0hNnDCOiWHxYTnYnyHy-PpxuMlC4mIYYf6GM_MmSEaqffQlMjJd3rG24-3PfwquLGr-gJEBeQdvZHEcexZQyEZbOUvuQ3pYiwgxalRbvGC_h6IFdJrUxs2UgnTe443-VmgLwtd3ABlHIDDfWhEhh_5lAmT45ltSY_QAzKC34y20Iapf-8f0p61qeVcEYjZrbJ9pzQ6vrTjeA54vOHx23lPwrJn7iE01ldWNdahfw70p7CovgrWttJjs3zLJsBvWtzbX2illLGgY3u7H2Uofg3a8QlH7C5MQUyR7ituvmk0rccBfc8iUzK_ZJTpDlKdmHVA2fhFhRCh-P63NFoC7Z7mKtfhIbMWv2RQo7s5JUEpswCGrFG-LcYzStJzreLMdnqd1alQARga7hzz3hGlSxnU7_AdmWUPYxsIHewwcWaXJy9GoMGd-f1PPKOJjGum9omy1yIf6LQmUBIHQY4Wx47hfOq2hNB-FZpLAIrlr6XzZXwpGSkGSQDU66GEypPmCEJGBK4hd5IVJpht3Itlwnm6NHtaIQEP_XP6bo6hwdZD2VbiZ_I6fnvm4vRrXijhdz-qiDPtXEjTz2ODqmeyMtlOddHeTIpudgHjzhPkSRcnVDet4BXsAHyKmHBd5sZo8UkzLzOBsB-3Iwp-W4qpjSGsU35wkAT4st8-TUfxZx96I7ohHd6OuY2gEEYkLTl_7KJ_NjaCSLUBy5gPy_vB5AbvRoY8riqUsFeZHzQf6HMGoLWRIg7PuwRvUqNR3UbhOaKvTeP3DzLT3tbLGj7eFvxhMgkcBUH1SU66gzfDKI6h2bGh3mRLjW8fqbRkqV19mJgpszTaggPlGgCY5JLT9bq3peAZH6s6BGTjeDY-mjlh8i7Ha1NFFxiisIDYgKbgZdFjsPGK7zD1IHNkEPOvIYRQyQsm9KWu2mmMl_mPsEFHC95i-pHmq1apOUvblUZhoicT34lMvNfFcpGlm9NrfgjFXc9sQ3bgOPn_-lnC0OVf3Q2QlE626byZY7RxB3Ut40Cirhm4FDcgXfcV3RIR_a0053ECrH9A1V7Tho05CI6l9u27VYjf9gUFqcHBJ0Ok4qqQwgAXnpZriT7AJbY1OpgkRQ_oJ1x2ugxKNiVE_i2jleFa1v6fiudcITVATPX9mDgI3tcBfjL34BYaQ8PADY79hTPUAdXcgc7-G_xikQ5EDdOA3tyH8z7jNDdYbsjcCR-d-GG5zlc_S8GTV2ci2cbh6Yb5mmb06l2iyr_qo_N1q8apdIST1HQyFFWoujtbHVxNFPoMbbgLW3DAiQSQ9QtwfM_rp3-2WUrvrTCWj3tWKF5Bwb7YbrndBbQAYg2q2ABwxaXP0kdRTRlSeVQ1Fjw5bfcAUzx1qv6tRcFGeXhC1xEDJWNbRCGNguuoP1VS7gsiwXZZbVBpl-tucG4BHgURfoNTOAAQyUiPWwqgv-PbejID4WTgExVBN1UMXPcuavVlDpRT4M4e26lmv8v9PRL3OKkC3zCcxloewcK5ufOSpCWSvpzOo6q2NFmPSi87wbzDEvjSkKIw6v6uI88O3veQsglEHLjUmwWCz5jSzXV5aun0ronBKNHH06p9SExDrsZaGUWujnacjsle-Z3U6n4G7H4XFp4sVlNtwhf0en6zKth_i8zOt4AOp772Di6-oFvC_GyQd8wPJppDHzK9YdD9iSQDria1ZfDYyopg23mS6i6LueM-W-jhHqcts2dCz0sHJkO6FahnbEhCsWS5DuqzedzN2S2yj2L38w9Y5q-8X0xou-bwTVcvipV-qrxkrG18z_ErM7COTJe4xOFhP2FkMIUbjH8NjATplKpGPuTcU7mLKho6vIMyupqQ2M1tWTa6P7V_oysrqZ7_gxBevtKjW-e9IHeUSrbDrKf-VqLbi7c-54XhngTgbzTDa3rBs47NN-1gRMG1n9LvT8XAFBUpAhdFgj0okLO-ZxWJfAJ5QrbCQZN0B530Glb43PnQicEfyfQdZP8kphqmTJN4u5fmmwIwBDWVfA.5GKM463-P2k46IvzX9Pflw');
CREATE TABLE moments (
    id INTEGER PRIMARY KEY,
    place INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
    first_event INTEGER NOT NULL,
    last_event INTEGER NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL
) STRICT;
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (1, 1, 3, 3, 1.79547507378372406955e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..Xx_RBsmd2GbXgrRh.vYq0zNOO2k0d59Oj2zuWkO9YWXn7bOT3okP8Tk0P6iry0ey7QHF7TF09vHt_vAKA95NNnKm0T8ZATyjmPzFImjBdEfmjgnsw0PSpNiWhGuU2_VmCbOGXdqHXjIadlZn0lMHtxFk7lNpPtrB5fUwbG1bjQquCUrep2JiB-Q6Z1Is7yjQtq5NdbyMYweC7BR8uGRNfFMJZsH4cnDgTun5wrn5yH9atx5T0_WdbdBMR6m4lj4MEFtjknmXx6Sg_coWWwtwIHYnSqvJP6NqRct-gFg9flUUCwLoul74p1skoK6PPiQeP0g5Iea-qmTGwtBNqUb87T0CbvGCdP5AFCxdvtCiMFjQJ5PMmRVY23xbdHgKMSIPbxL7fmCS6URcMio2vt7bA82uaB0ek1DJoSnEbW5BfCVFYAxMopd_bKVCoPlwz.TO_E9-2hbURRVi81LQlTZA');
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (2, 1, 4, 4, 1.79547507378372406955e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..FjvYqkmadrnfcPwJ.yWZ_r1diEa7FfZyuNucHvTuPr5a9g4j9gP2X46hRA5f3GwAtXtPcOvRMa7L3t_P5H_152uD0lIIInqyp9Exl8SblslZBW_ytoQ0nXvd_1D6XD8qe5y6RlT7nCOKev1idrNRUE3KMmjCPXOaJFvhiCdMKY62hU97ZcqGWOoX8lVmpryEtBMyizylOrkjmRyNiJXKp4EPAdv9jjdQ7mWEA8H2V_iawzucoMxUdcO2-N9TmF-IWEFrUyTvM0zgMnZP-AZlNf10YmDjqoRSdjY9cfGoPC_7OM0EFPj1VDyQzna-twNGIA3WiVIaHVP5o8tFGFROiN1HWgMmjFDkG-pp2x7ZgkBnPlDOAw4dvTzhvpBup87KW4HR1nq6aLBlW3I2-Lb16isymb4rmaVm5P4vrk3YaPjHc8VbkfEh4awl9Y_-3ziQpAeAmMiewpKE04D4WzEjiUALLfFtzPXaC6Q.N5KHI5UgIZO-_xEOioXTYA');
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (3, 1, 5, 5, 1.79547507378372406955e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..DGjxgkKew6r68yga.pgjR7FTcUgLXQ9cfJVORJNk7o4hm2PeZD0gwMqZDAOhhhFHbyzKao0afnh1fyJPd49he6NZpQbtnDfrahpK_aQOBGkrnXMBcs0-n6pcDYzC_LkbtuniZBEfoj-4peWC55Sune3l60yorUlUEeKT833mSNGGGzKDsWIttk4ze9UceC1yXEI0Ygq03SZhKTxxTlbjU5K5BglNU9CeNH7ZdSRw2cDdEUXtJsYZ96Z4gnmBBSH023Ddysm4ns8Hk_OWOrRlflRAUuGAHTqKUQ6PCVbrnq0NSI1C83HL1Gv66TQBlIVRih8TXLxygcx1i3i-MVWRFK18Q6y2Npc9I3LalVI4ifGzk2RUNJKDIhv9CTWdxkj9hpchE_Ejy8BzoIRuZzy9DbjJO10xMN0G7Sgfi_WCiWVQhqgSAgV3r0WNbVDSEPGIH17hkmg-acEtHLfl7osWJOZ2q_LlKAFzBYAPaTBmEKDbFL5l_OGjbyDeEGlMzhMI4js-vdpmyRyR-XIWFb469RO3VEw.G2BU-8791a3d2RhyRkQZ8w');
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (4, 1, 9, 13, 1.79547507378372406955e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..uLRzTLcJ7X59XkmV.yfRiJTpWIXWlRKk8P8-Tr30Gj5Etbu5UVV3rn2tXSVRjvLzJtGPzcGh4Gj63wa39QyLeFKBVNwb5p2usCgHHCjEKy3P4aWrUnq1vbzkfJQu4DFXNv74mMWTDn0zM0Qt0ZKStrFFnceyfys1HdW7SkU70e9DoSKDT_aI9Gldlcg0AuS-RSTh4oxjik6pmpPvoPC_f45KTESSmJUJOGl-ysKJeLafPJXNllbDDnxMYqYc-T5P07NMarslO_ac1CUgWQjXfePvgNRnK3vLG0AqjXsQQXiK8Ki5ght-DKKjgDN4UXtM5tlCquDNx1xZ9OyttVfCSta9hdezWMgFzMyWLHXGF6boLG5-OTo7TvUZdm4Kt47_yBRaK04m46tYu0xvAP4SiCepiQR8cK0OfCQ0_hHg_6bMzikBtdk8fWOPvtZgQIDlCcivma4G5TJ8ole8aq9cX37TdlgRT667zAzAgn-JimwH3zb_tVWVjsYzjf6Upsomv-hfdcEk3JJHe06g1omxoX8QNkzTqNlBr_dJMC-of7grZOcWhZYruciiMFs7m2ZxT-JH6cmnvjghTYyUS1yBAqxOSLnIb3_7qF9rg-mnfF0sS3TDBOdqtsjoZl7Zp5CfwT6e1svWVXR2Luzn1kxXwnTm5rUhIa9dWEjUthh7YBy8GimHcdqzEofg6R3kvwYm9gk-DZZxTgFA-H2JsCbdaBuz69DivgtC3zvj-VLsnWeVx9OlI2kbIKDY8SYhWWiQK90weCZI9Jd6CRpKrcasKTZWqXdFKVkmn3oQeZsQRgy-TM7_5MA8UfqJTHARAI2kpcQDGLt1h_y7dkWoKA-n8NCgSieeRoLAMW7pG5VDMG0ol1JL3GQgNdj6cMauJDMAg0ihV29aZuXdTDFyWQefSbgwM1bklTi62M4yByNvt3VDF_52mV-9G4TAL-YAvCP3MEZywK4c74eIrQJe8Pu41lVg-nb58brIpJfg_vs6ZhWtPHMLF-wGa9YFFit3vMjdoRZksZbcythEs21eqNVKGMQ_6RhqQxtAzgJ6wPC8-1PoITmzeZIcNJWLqdggNpUG2cLicTpK6KiffwSks7oCBtYxILYlli5to9X-f08w4HHxjrLZCRUhg8ehPI055PGVFRM62ECDoq8xH9X191kH1STxdATmtzy9sKFJJSvWwFa5fDSpQVJJgQtiuYobVKoQBwRTzad-t2saA2t1prA5ReqC8v_p9vVh8OHH3ZYVy1VdfLEK0IBnljBgZqqaXwcO_FMJAv-D5nWDtmOo-m7mnMuKs-mVcForkpYKLw-P1Tam723bC9Zrgvx5dGSSBRhZ0v9DWB6rxr5fRIKJwJXGf48p_v0fEOcCjTXDtwCSP8NerIXr1-SzCNtqwNOlrHCe5E2R5XOy99nuEQMMKzNkJYEuKU04AJpYLylYdRPOyZLlSZjK3WfRCG_Cfkx5fNJK5BPFCqTniNlIAOaWL-jDgnLlVF1bOE4eeG7t-8VU5VepAYX0hpyVBQueZFXL9MEf6_EOFevVxLUaftzkEkksvMiq-Cq7IHM-Z11gFUxZ2rB7K70t6LNCwBxF9MbXZZ-3jqBiBV1YVUhqGNP8hExdFa1t7o3b8eaQDyz1lteruH7ZSgz5pbpjWMjFtxcYdEYribL5ivqSfmlGGkJwPss9Ydgj4c7gdmr7a1LeEKvzqsyR_d2lawNVWWxgQzEAHdSoRO3Eo_Fg9m0D_Jl6RC-n8n_059Meg-2epRY2ujOb6mn_Y86qVs_dSKH_7q4s1TnJU5-oq-XezoF2yMoLq9Ic8sFqG5ix-jOE1h4YcsadAcJEpt20XVF0RT8l-w6vWtGHrcq77fCzeVsl7NRSR_ht8Co3P3M5NHm0rGj6zMesK8aDeWv9T_0SMl7nVEs9o7rsC4Ec39yMPho578ygUBYQuvSAFOBKVbDmRDjbBVpmPoXrCN3ms1BzKy0A0HP692Xqc1PvUKoKNQtNd-UJXgCTyVW50f2upTNe5TOtS94a-LbohHKKIolI21H39UhCUXiMsVL_N3Fie7Smh4GrHUrIPqclMDFO1yLvZveXCiBVTdzVT2cR7CwWMKiBJJw7fhAm4NiE977YaPeuxaP6IS02ilqipJYenS_56Oa_cCupislZNSREQ-fluKovP85Ap3HLe5ocdW-n05VftWlU1sOeswKAz75F9WCsQsHdAnG_WKY_EkPvn-XcMcZeHMBRu2adnQh8zngDuNInEcBCvq8C3C-w0BeH9NKDSjjYVlXLDPOkk0kLTewaag8bTrqzo77UabciTji4o7qPHtgOLT1eRTHT-Az2Q4gP-W9_A4oGId0NLECfIc0rpLTk5TFa67ngKsC3oNnK8NTYk-I_1XGJaJSNQWgOL69wbhcQiwI9iOnPrL4bZ4VhPsDWsMUnsyzZjW7x1lWbgl7-ahNps13kjt-VyvfJy2NhMeCkN5R8aNFPg4QyqQsAfm84lU0FMe-SqWi49juj3EguBH7kzyIlhB6ByqWqgt_RRcWY_ktZg9hhIILGJwY-3SoI2pP3KKNKt6M-nmULTWQWUocQdGcD5nX-YVZaIW3GT-RTSdhdkTzm3sO2K8qQsnLcteAmcHwnDzH81EW9tIHfj5zQWRDaVQAMOxzHCwniTSx-LCXFLevWJCrOEO1UM64-odTKlAWPjWLUUBYljtZwNTmWtlNKzeDocPmpmlfOTOC0i1V6AZ5dnNV81MaA3zYNmPSMZrBRDd7zIVFTUvlQHe3wmo67ZJSrq5QpHoPLlPyoLmdyD9PyRtlZ9-LaMK5yKrDUB57HPrFNWOYvSyQoJwdEaJv8kT6OgXqNGq9neiPiG7UPOI1Rg0r-P1PuctQ.l8nvaFI_eOZI0iV6D8YuuQ');
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (5, 1, 15, 17, 1.79547507378372406955e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..ec35zZQu5TY6zk4b.ScqzorI45yqWV6x-BA3fgOa7ntrgfvk2LjahjUBEFLfiyR3M-kb4ciDsfzXPywlv9szxnQNWPAo-CYj-lxhw4TVsl5A6YZIvH3qkyJEm5OgvD8YvAfwxen-WDCBOxXYio_jEwF2sf4S1GWJSUt02XRtTWrnz1J82J7BdrXV1EFmPFl53TJqAQ3MT0nJawHvfbfY4TQt1DXH-vxtuHSNkBI8WpMGpKr34vk9L5vW59jYWnjRiHs3hTpMjMIxdZZ0rPSbw6oxRHhYPcPe_D5TurKSbauMm0hnAMEzdUDVVRwUHXK-SXh2He1rDkpUTTpmtMOQOsV2GfWS9wy--M5wn8OLNptM4zQGzBIodhKHR28z4B6S4WC3972yNiG0sQ4SyW9C-Rc4kLU5rMhaTBzVN7aW9nur_bq7kPBaEodiYHWaPcGPsUsXbGrwJjp01hbhCe_jFypydrt_fXk1Ym5wToK6pb4UA01YuXvJ3MpkFHIaRVG38S74iWN5kVdYy_yt7wImtfwFtOdFZ0gILuRtk-3uGjyj-fsfmHeBmfBwSjBYnLd493p2tT4hvmRvi4FqdkzaJWYKLP96ioOtgUS9hkGFok2Jon5Y2OcAxlS81ejquUWoyhJ6Fbvxt-vqu6bhVMkf6WZulZNJN5AyND39BC5nFLXw3u6vyjmBr2JVWT2RZa4p--NZJh7uBwxK4wkfnThm9Z68rMCNihOg-ooxxtb41TMovtVE4njm1W4mofHtawJt-OvQfYB2J5ag1xixDuU-fDlXXZltCRd-vUH-kU_dll_D9tHXS2Qr0pKcEfwNyScvNgKIZDYl68eFjhybrqbgGsbV-JRhWaqSOvbz-bkPN_PMn5Geyr27R1QXFLzUMsMrJbZwpkK5uubQmzzus9mFjmb43PBccDJDV-P0pKaXA0G8_FKjx-wzhUL7RDkHoOdVvq6jLdLgqAeZsJQMUnu7F0fWIBVl5ZCAIK79BDOxFYPDicDTFaUrF5IHtrogpwbncsj4xn-1s49uzUo8IBB7E9OGcnAMJ_365NC0R8BcWBnSlSxNcVlOuYb_vL7MWmClm4q9Dys8wlsNuUGj9qx7P-9-WfiyEW-cIXs9u6MJ19Ki4r_qkjwA0_4Mssnjsg86Pk6PEpeJNmDn_F08B_TrzjSGi4YhrxF6C55VCVLpBa3obHor-j7IWArUpiTlqqoE-01O4sctfrPF99pjFaTABGAmROz37GCk6OLjVBfkwPjryaXRCRij9L_5aIKge80DA5Bkk7lI5DZF6pqrBuGar_pleaNYWV4aySLml9E1QnvcNSyjrFl38QV3_r1QluVyY-f07TyIoo7AiODiQwjRyrv01px4DTWrgVm8DB7m28BCzLMVXmt-qMYuFhlFU4wsEXLMSDZtSa-pENAUAbN5vssbTCF3zejmB-AYpxqMf3vIvHyXDLU0FpYQhSr7YZ07IX_f5w522Zl3r9zE_U01m26_G1wpv0vIzCA4ofZhMpDFe73ghTYg5nXGIhAUVx8hUOqhmS7sQlZiaaH9W1ZjVfqFTuBYcBYrfVWSCJrdgDr_dNer_BvYo77YuoEX04PTsitlRwtFwxVoEw-YrMFwGZb864TH8EJ7d4tqKqPAy_6VBhy8_Ov5aljqP2dIq5dXh7zn7o492Et5u7IkBBodHBDbwLhQCaSqZcMlOkchwd3XMg7siCwdCXOwFgmsQ8JxAo0ohuMTEwbYhHFkuVx9t44X6r_YiM4X-E-EaX9W2bnSyyjd7tz6pIPCM86uRgNgB3uSuz-cxiJL7MvkqXZMx3ScMauEP0L36IVVUNH7GVnFb_iktZ3V3tUUc8U8En8DwPuQ5Noohung-B_YkJa0Zssjvi-5pV5itFcfdJBGQu8Monv5HJssKDFvQpSmezPQCHJqGic2XYnC2ezUPLf9UMn2EMzenkRMYCfmxMkATujnAJi3LFcgLb6qHkq_5hJ8U7lriHIZfjQXXWR-RJ8iRoL6amKVqxOcHBh90XOzQ-EEqUjszR-uSrdcZ9V5wbyx_Di_Um76WVHjgTg0AAYEHFxYGJJqEbGyxb9DVhGUOP6VBOYeCJL_AI_RjMlijrqzOp8NWUkVh-CDxUTGkO4D4UotFfKlYCqeZy2lCcc9m6D9R_OHBVe8wVrpLeGVXj0Uc_3YxK7zcnoRKFspU3GstkOAiTsuwVTUakqLzk64T0f08xCtpYC2pyfD7cEOFb0xQeB15PefP70nVHsYNSbp99QN4vOaDRlFM65obMBrkJ-B4DofOgYeHa8PYXGz234ldH4w-2PrS1znQP7LEfFFWG2CWlF8cGN7IgIrB2UcvlR5o6wfXUQDcY8MyDDBK-pRRWAtJhUZawuG5KBHoXPZ3JXQz9QYgXfKNkNPo7znP6DykZqUET2oRFqUcuBb_kIhMk1iT0UBewQl5eJmQKkMDLJHH8gqfek5q153nA12a2V2_kvD8O0fkt8uVxbiJQ5xLuOy1N_mujJUCW3-yF62aMWlNfuNZ6vcF7T-_ItLaAGZ08yjf0u5rjN_WqqWudtYpzv-wNh9gxiGgsheYZGss_RV9tJ3oKkY-ly0BegfUfYwKVHJ5FCAIVuVbsgDp6isxcspsrKQ-qTYq1ozrmMSK2zmEcxGo0JWSp7Ecjw4-DrFRxPDWeQ9xE3NWEsNdz0-w90EgbuhpmvrjBvZsyaZCKyT5vG4f-jcfsgQAgthbC6npR2DWKOY6nf0_gcjJnorNeYuZHYXjybWqbWSqcPSnQpWiRDv7RljJ_yda7NXZGrdMQruNKHWgCZaLOg-VnUhOX5hgllhc4uHCQPzjSyeNTpzqMnbEr0DqV_eKT8Dq2uLcdNbvUjCek-9maJLvqxsoVW3j0yY.i4XysfnYO2MgWrAHIhmvOg');
CREATE TABLE restores (
    snapshot TEXT PRIMARY KEY
        REFERENCES snapshots (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE session_words USING fts5 (
    user_id, email, label, claims, facets,
    columnsize = 0, prefix = '1 2 3 4 5 6'
);
CREATE VIRTUAL TABLE session_terms
    USING fts5vocab (session_words, instance);
CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    started_at REAL NOT NULL,
    last_at REAL NOT NULL,
    workspaces INTEGER NOT NULL
) STRICT;
CREATE TABLE transitions (
    app TEXT NOT NULL,
    run INTEGER NOT NULL,
    from_screen TEXT NOT NULL,
    to_screen TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (app, run, from_screen, to_screen)
) STRICT, WITHOUT ROWID;
INSERT INTO transitions (app, run, from_screen, to_screen, count) VALUES ('mystica', 0, '', 'splash', 1);
INSERT INTO transitions (app, run, from_screen, to_screen, count) VALUES ('mystica', 0, 'login', 'register', 1);
INSERT INTO transitions (app, run, from_screen, to_screen, count) VALUES ('mystica', 0, 'register', 'verify', 1);
INSERT INTO transitions (app, run, from_screen, to_screen, count) VALUES ('mystica', 0, 'splash', 'login', 1);
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
CREATE INDEX sessions_disagreeing ON sessions
    (workspace, sequence, ended, expires_at)
    WHERE disagreements > 0;
CREATE INDEX snapshots_by_workspace
    ON snapshots (workspace, sequence);
CREATE INDEX moments_by_place ON moments (place, first_event);
CREATE INDEX sessions_held ON sessions (device, app)
    WHERE ended_at IS NULL;
