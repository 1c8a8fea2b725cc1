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
CREATE TABLE workspaces (
    id TEXT PRIMARY KEY,
    devices_made INTEGER NOT NULL
, label TEXT NOT NULL DEFAULT '', created_at REAL NOT NULL DEFAULT 0, expires_at REAL, clock_offset REAL NOT NULL DEFAULT 0, frozen_at REAL) STRICT, WITHOUT ROWID;
INSERT INTO workspaces (id, devices_made, label, created_at, expires_at, clock_offset, frozen_at) VALUES ('main', 1, '', 0.0, NULL, 0.0, NULL);
INSERT INTO workspaces (id, devices_made, label, created_at, expires_at, clock_offset, frozen_at) VALUES ('ws_xViGgpEdVBAQbLbL', 1, 'leased', 1795476538.67272, 1796081338.67272, 0.0, NULL);
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
INSERT INTO devices (sequence, id, workspace, label, build, sensor, enrolled, next, size, created_at, uuid, orientation, appearance, text_size) VALUES (1, 'dev_KaU6GCLwfDmCQyfC', 'main', 'Landed', 'debug', 'none', 1, 'match', 'iphone15', 1.79547653827297592167e+09, '1D47751B-5EA5-4C17-8D9A-7CFD41C35AF8', 'portrait', 'system', 'default');
INSERT INTO devices (sequence, id, workspace, label, build, sensor, enrolled, next, size, created_at, uuid, orientation, appearance, text_size) VALUES (2, 'dev_EnBB61DwhKrdNtQU', 'ws_xViGgpEdVBAQbLbL', 'Device 1', 'debug', 'none', 1, 'match', 'iphone15', 1.79547653867539334297e+09, '8B8E8045-89C5-46A9-B737-7B50499B9040', 'portrait', 'system', 'default');
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
INSERT INTO places (id, device, app, screen, since, backend, own, visits, paths, last_path) VALUES (1, 'dev_KaU6GCLwfDmCQyfC', 'mystica', 'verify', 1.79547653848597645758e+09, NULL, '', '[["splash",1],["login",1],["register",1],["verify",1]]', '[["splash","login",1],["login","register",1],["register","verify",1]]', 2);
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
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_access_token', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..l1qJfZAxmi8txL9o.GlZjgukZ-emFqLDg66uQgRpK89Vu_j7ZZ6XTXpZ8SSH73qOMc6GjHr9Yd3Ik5OWiYFm9M8c5kmtE0d6z8SmzgtCwsWvDPeCoFz2-UtyRnl3oWmaHyTKZuGXqlT6Dh1CAh9d40PnroYz7SgTTzUeOD4gTj-csvbNeu1je5nr01K9CvvryOCS56X3TiIubi2lGwE_lshtuBlIWpIdGcAt3Bd7ijaCJt0R2zjhYl3wujuzy-L_rcgo0dHOfdPqBfzGOTfGnl7mlMNh9v4HsZ5vBZHlBcEao5UixYSjVyCndoYfGFyqKf_mDV5DyBWI4ljf3QytsPpuNmeHoCRoVwjD_vZ3FtadJ_Tu7wt-espqkqGpycukFj3sIjWxDYyGQtJXJPPf6Hlzsc8V_7ItKhRKp2wPMpfA3XKnFu6ZYkX-03NuC6bxIBrr3fDRPirox0tn_13PsZ6r1hvDHJdKV1s0sF8xS3tG0G0Ni5XO9JVSXw1pk1Gd3BFQX7gqtIbcvuZhh-9ecJpA_s6aiPXNjiQt-pgwse3cj3-_QO10DAkYKc_rTNZ70Nd1aaf3Wdj8bOvN4tej-p-8nfWwv5NZZnUvfF6B93QFklHryoMdko1LxInBK0M8.xF4zN0G7bAV0hkwkepIPBQ', 0, 1795476538.6219);
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_refresh_token', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..E4lDBloEHQelqchb.-x40gFEtRSslSkLdynJO8JtUnMlbyaOCtOQACh6kjVe8x5fAs80ebTk97wpI3A.bLOPIRMg5SZvr4PkiVNMkQ', 0, 1795476538.6219);
INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (1, 'mystica_user_id', 'keychain', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..M4efpy1ebyDn13WL.fsvuCCmJQSLbGE3uLjbSNYquFDZwuxEyqHKpoQ1lIshyWujq.uINGcI6wV_lVK2I7XsjuSA', 0, 1.79547653848597645758e+09);
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
INSERT INTO sessions (sequence, id, workspace, app, device, backend, ended, expires_at, created_at, refreshed_at, ended_at, refresh_count, generation, user_id, email, label, access, refresh, claims, disagreements) VALUES (1, 'ses_P4yRtSEEB4VkPvar', 'main', 'mystica', 'dev_KaU6GCLwfDmCQyfC', 'embedded', '', 1795480138.0, 1.79547653848612022396e+09, 1.79547653862201666836e+09, NULL, 1, 2, '5594060a-78c6-4f2d-9205-721ec3592b47', 'landed@example.com', 'Landed', '{"masked":"eyJhbG…wnfw","header":{"alg":"ES256","typ":"JWT","kid":"key_EEigD8EAEfMeHDpG"},"iat":1795476538.0,"exp":1795480138.0,"bytes":467,"at":1795476538.6220167}', '{"masked":"rt_N1H…PZZw","header":null,"iat":null,"exp":null,"bytes":46,"at":1795476538.6220167}', '{"iss":"http://127.0.0.1:33009/main/mystica","sub":"5594060a-78c6-4f2d-9205-721ec3592b47","email":"landed@example.com","email_verified":false,"session_id":"bc014133-8ace-4df4-8a80-c042b6b2242b","iat":1795476538,"exp":1795480138}', 0);
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
INSERT INTO session_moments (session, number, at, kind, title, generation, exchange) VALUES (1, 1, 1.79547653848612022396e+09, 'signedIn', 'Signed in as landed@example.com', 1, 'exc_iGHyEJbe1Z8EV8uD');
INSERT INTO session_moments (session, number, at, kind, title, generation, exchange) VALUES (1, 2, 1.79547653862201666836e+09, 'refreshed', 'Refreshed by hand', 2, 'exc_P49DJUVTEZ5KSYP8');
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
INSERT INTO session_tokens (session, number, kind, generation, branch, held, claims, sealed, exchange) VALUES (1, 1, 'access', 1, 'own', '{"masked":"eyJhbG…Y6_Q","header":{"alg":"ES256","typ":"JWT","kid":"key_EEigD8EAEfMeHDpG"},"iat":1795476538.0,"exp":1795480138.0,"bytes":467,"at":1795476538.4861202}', '{"iss":"http://127.0.0.1:33009/main/mystica","sub":"5594060a-78c6-4f2d-9205-721ec3592b47","email":"landed@example.com","email_verified":false,"session_id":"bc014133-8ace-4df4-8a80-c042b6b2242b","iat":1795476538,"exp":1795480138}', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..-02m9ChjOJt8lw-5.UqUIJRDvSmdYfXgdpnnNmtfp8Q3GsrVt0iiPD-EZo0oaeyS06HbdlUizq7VSjsS7KfERH9mc6k2TfCJIyRH4S67isczHSlCydNXYmFQd112z9gBjXvJ77pSaL2PHXwGTbEOAY7lrEByhSqnYzd9l_of9n5xOjf8gK6a-9jLgUcXe1yb1t9C_IkZLIV6PdlBBC54uCbJxZtvoQN1a0ilfNRSQCGh21sdtNS_szjtOiU4HNdedIIWb_4XYRCwDXpuSDG6Swdv8_zILuAMxYu0NECvZDftHJqgECnIsEgiq5PRagvxZKJ7DdzcGrzCcMJUyzb-_-rosN9ET6IDd74921PqTr3N4PF8p9as7ZCHKRgvAUyvS6CKrG0hvsly2IGX_oQ47jHasQk0ggfO4T_gRiaLhsc2FsuRWgrIWh9c423Ge83JtuWhU3X_3grqhYux3oJlLUAkj8MMqLJDLKw7warzm2iCyre1TAIXNiyfNHs4XMWVpiZO9NcNjxP3-nehluqdOu0wy1afmBrSMcOvEdnD426kpfjCN4ldmZm54V_oYzj2LF-BMvvaG-niN6qD-saBw9JGg3dLq64J9rNyjil2_nSouZ1f2epDAUKqnVIBIPRw.FlcVkbTpDNb4uniwfRFotQ', NULL);
INSERT INTO session_tokens (session, number, kind, generation, branch, held, claims, sealed, exchange) VALUES (1, 2, 'refresh', 1, 'own', '{"masked":"rt_Vl5…LLCg","header":null,"iat":null,"exp":null,"bytes":46,"at":1795476538.4861202}', NULL, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..eLr7uHL53qUJJUwT.U_h2LiN9uWKvwLDLloenXejZnaw0zwCMFwW0URF41bC2G0XgedLvBP5Pt8Fnkg.RrCEGZcXtJQrXY7d2JklxQ', NULL);
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
INSERT INTO snapshots (sequence, id, workspace, name, device, app, contracts, apps, taken_at, bytes, body) VALUES (1, 'snap_DQt1NL8of9aSnaJL', 'main', 'landed', 'dev_KaU6GCLwfDmCQyfC', NULL, '["bob","clarity","mystica","socoto","wall"]', '["mystica"]', 1.7954765386460945606e+09, 2153, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..TeQVJGZn4PEC043W.HMIzjxlPEMk-WQUhstJVXjuRYwWxSiTuzZgvG8TLEddWAevKfuGm5w5j11CpvNvDQlIOuwlSla2l-YAC8Tk_BJcFSZzbZqbml3X-kefVfNRrw9XtywCBtFPTvLSbNWUqzl3swWssXPsPVDakX_omTMBKW-B_0eK2PSrA1YlpzmwFFdGuByILoSbxtYA3rNiQ7i1m5DSHCF8MbE_l-a4pZaJmk1JcnLGVN_4Vlj3eq5b70snwvtNwq8WoRICkczVJVV_NSNZs563GHTSexVmgVgPDKoj73_ffnPmDYmlA_vH5h0D41sLAEgSE3ecJi2FnAsRjS2Hph3rkeTb8QzK4C50P_ZadCGngaT1xxLvFeahqZ3lVaDPTxlZYp1ualJgbaxs5dOM9Ov6wZo_AYRtKYm7WWzpT5PZPq3mD2Tzy2RCwmq8I-4R1z__T0kiTgUQSllT5hvUG3-TsnUKk_7mU-HEyX9CdmPPvyT6zZjnQNaVIrCSZmp09YzkuY4zlsCOLP6jUMzjYB8m8UErIas67KW0S_qcSPFa6BbdLS7vGLJYGFSB47Li38Br8BZIk0ejciTQTyGF6_ur4c_40Jf6o1v5XIze3D2-beHDfoRRnhnnD0Gle0M-_2b2L_-6YuwErApYLSmu2sKKdtsP8B7rZ0Xaql8y_WjXfoIMoEGdEOdo9AbBANJx-LrRp0EvI3xXOTEwMbWWjypJ9cueHKctXorZawXLQj8xsN4FLFSZYozQCZEyoXOJRBVEzZQGvMP3ibYG1lUoldeXv3bAWKPyoeO4m9GyuWalHyMXdlV4Tt9bFCaXAr7CxwiuIzTUHs_G7F1AtMVOvc9u-Vi63gJPCk1dusRPG9H6e_B4YsvT19HsPlKztnsp15SX3hY8CaTzufNtzokF4QWpECkwCOKhBtYATWf2BXhfeMHcPMz60qDyFeDxGGWLbwID13cVUQuN-tamb17xDEEa_A2bPB5zxr2bVcFuH3Qxe_7Ck2dOdRGswKifCFMWJWM3D8qyrQdnwrjtwbiIcGUs7mrs0ls5lSYII1vTMAm5ZoFGormTXJrXpe897ghSRainMNmIoxX0K7Ug42jT7A9gGx7sy5Z9YuqR6DVO4XAA4Fa97OT5mkLa6cIFlhe1J-TKMaud0p5dfhnsi7OARM0o6vaKpP4lIs_djAfI7uqpu1lXavsUmN0YV03DDLFxDmGEYNGc8-2nKJltUozFdC6hP2djxvU7qsI3QeB34PKHR1oVJQUJIyHopLGwjz_sWGpyG5J2gK5E75eqsOCnuzZOzdkzAqeW4A6UTMXL3jKEjrIupJZvL61uqwyVLVq_sFleXpYYlatBFAeF58QIVUbFo9LL4rVOjhszP8tBFN5ViAd66QdL4QH9QtssybsZXa0Q069w2fSt4q1KmhzcSaNY36xhyo5t__Ggy8nHhPszjuzlstylTaKAtHnxX0RKMAuB9l-iZgy4ZxdTK9lvVBzMRi_M4d0FfbwEbJE9odhuNimZkNrV4T450Dt9GGVFiibjGewQZ4TE78YPzaA8GtfPtPkCB8tItAYoS20cSvQULiIoT81zfVGSe8hOe0kh3XlcZoua8CzxYvYAiTCvESbAUCd3LhRgBBhAC8s8Mdvb1HmCrNWVXwLQa97TRy3K4OfEsrwyhEgLxdH49xBGWBBr2Yl8Iu1zf6zw92aLPz8bOVycbgpdjtZhhc4EXxjAlj-Y5AW1GcLCjat_p4-EiVIWaWiHlSZenskmpw9RVtO1184mhq5thCuGtkkSo-bfPXqxbNTddOARi9EpdPaMeUDsV8q6CWCT7hqbldBiQwelAd3YhD4_EeouN6-PYCH6D7HX6Jpx3IYHeAGmg1BSQaNN_lg2aC_Glr6L-tevyifv5CFnj-I0OaOfFe9Av0Zpsdz8TcEMShW8wMI8DqC0vtHMgPwERPvp5tBRQmMoOqz8goB_sDOoUtGnJm5LwYSG8cBP3tMslh9cg-gzmZLEcqaM2uQpUT69pcKkW1fUWM6KjqTELnMAAUssEhPfA1xQu9-awcTRv2MOEqDDzx7HD0X9uUyk9pa1OHPtzjscOOYH-4v8wrMizossapvGk0aIznRReksy4uVE0Na9unXUlswVmTYkk8d6X38ItiK3WMDGM_iao0KwIVlEsO60b6133BfduAkruw368Sdn5df0Rf2MxZRMgAR5QihaZcd0V45VgAQTP3WcW76BdCBYLdF1oVrcsuY60kltSMLpICQctawPK2EzOlC0Va4KGBxL09o94lSY3numKmALVE9J6O4qL63cmHJisSIGCMPu2HkMTY-CD6Yvg_b91P_2JDwF0OOV6dQdSsSuAA5345vW2yk7qmE23F0-BsThipGA_NI0NeyQqtFPfecDLYcoCTetvFHqt8SMMwyY9BPbLQfoNx0udboA9Xtyw4Hp5VPqphEeKzVDlpytKfo8SvsP8sWZA3iQXWkW6RgcCE0AkoyYGFoOWbV8MU--1jwNw01eH-OUSno1_RAVhl5hlFtcox4LgLllmxqLIVHfCfMAF0VLZSd_NvnU3FEGuAd1nMm6W-gywM-plixtuBfh5OUiOhRSubDDMiw7WCzLW7-s0Sg3uDBIx5UQY8u9iz0_oaEB-TBpisjyAjfWWSoOsMMi_KdNMpHtV351f60n7Ou1ObkSuJBMRYvoH_vlWiyTnA8qhasFXrfyaBAvv9gRlaawZsr-8St0LU9uVBQ_npuNRp4Q2U0ox7ClkwEi84of2hBO2aBp0toHBZxtN8YoDqSEsZgyA6ayVi327cnv00P9rnX0sqqwZfO_BLJtyZ2DocLH5inh70NQJdB9wD8FL0HOoKZUlngS87QJBuXoCSs7PwxdhNifq-do._Yaxn0htbi7zY4KUrHs1Uw');
CREATE TABLE moments (
    id INTEGER PRIMARY KEY,
    place INTEGER NOT NULL REFERENCES places ON DELETE CASCADE,
    first_event INTEGER NOT NULL,
    last_event INTEGER NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL
) STRICT;
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (1, 1, 3, 3, 1.79547653868956279751e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..iUZ8bVI-XfmCifHp.tmDreWv8QtkPoCzszGkMgJBex3aSsQaSzHz8-iwolceP0BJaTWRf5pWUkSsv8A1YPV7jKKW8U4t0a38yYjNQ8qCAYvfDTkOtGDtNrholw1thjRX4EpZtD95nb3JjumLDXyLDf6_f4Nh_BKfHZ9SOSF95mAuXALrrRCZNWS_d7wMixHR8OcFg8YsCS0EGJJ9nXOgSvmdm_atUH3JbobPgLwU-oJx-SGkubQhQY04o5lm_jdqsQRkeWuNGNh3oH-4uQXfaqcCC_Q3iY145VPgqwphwO74xpo9X6dh7pA3SLlSutExoAG3QIQOXEaaaO_JStH58r6YhPGoKQbSozY9LSIng6M_s96tt9PY93-XIxtwdK4GsM6DebAgBwib17-w5WFHa7GA7c81sA3D2Y9wbunoyCslzIyEKBsyJ98m7jpv2wkA.CZi94TDNCMpJ6cGfgqG1Iw');
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (2, 1, 4, 4, 1.79547653868956279751e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..T7UtCgkgqdIY8AyU.uWFXD4vmdygsxOJoI3OOb7uwlXVQy84VssucCPODA9YTzjZtR-fGQu6MGECFJGBIC_6GkR8pAva5-Ve_p7eiyXnvk59lGKssfcF0zxR-I2boXiZRMv46umng3IyjYYV1DHSZqXsqmWKgsjfmBRtYUtSOiOAr5dSlIIkFSmsdsoJyBG49p5_qv43Yt0AwiYYtDrA6Gus4zuWBY2GJiQLMNS-Gb1zO_GI5H-8Gu9nZZ_Q69F8q1_wjuk8B13M4ARzYw7C_RN5NGa49DbU1lVfGb7NC_4OhxshHNnqF9iBsTc3OVyf_-uow1IfxCMm-SX2zemXKSl7rgLLH_Fga3CAbohjCV1ECE87WTwDOoJ00d54n-NPL71kVnen0hGmbgol1s67xOAspF4g9o9wkZ0tDLyFqXp_BRDZzS770NFAWtVcS92scQwaNa0m9O2P8pzkWHu2L4OvQYt8jrSCjO0kk.AvzTEzQlgH7m1c2tKDb6qg');
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (3, 1, 5, 5, 1.79547653868956279751e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..YjzAUi5PEkvs4c8Q.htE0qBOdgNeMhzk8v-iub3zXCicAYwIypqWSJBjy5K-RsvWfWlYWXUIrZbErQLVgkdWYl1gAJjg4YtgTKVqxOavBKgeSGimSZOkutqyIBPDZ38K6Vm4HFHEfojF1OkJOSmhR1CeTZ4ryIlKErY1p3mwzzR4kMtGLmRI_QX4CLCWUPkzcdMw6Cx3fp7lOOpSNaM2kwfZ-s6s08i_XnIFJDf5vu4zFNDmzgBDiDLITRWEUpkWU-u7Pd_qOjiZSOsQ37-K40twLJaNhDGCJI2LiqujU5xVaBW02_-A-x1tJKwZv1KMq8zEdgYaGk8JuqG6ydgynqUnOfuU-ZxGp1IgGXBN9kGwEpWyQJx9Wr5gcE8uKqohMcTCk102sIXr968czqt7lJcLCReXTYGWSaZ9ie28FjgOPntiu_0tZjSE04FxY7ViG8YkQ0xsXEZqXICDffKW7kDneniv4bc4GYevbg9OtOYzpX9FK22y88qFBS7vY6yJZ2gDCnWePWRxvL4QNwDEgCD6nna0.-TLC0zxRSLHsSSq4bQsEmA');
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (4, 1, 9, 13, 1.79547653868956279751e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..SvHVHIYWDk7MAnp_.yfJ1cLQMz_MM2hXvNnsuxsnejjAub1KlzIYw96LcxYYZTV0Yx_6572WkkhQ4CY957wNDpYB3gamCf7NCiG1h5P2BrpJV4xcKsJwJUcV3wV_-xBOR3F5rVIrSytInhtdEMBjN1EJq4qXQ1AYQQ8LhamQdqrsWg3ytDiw_A5BrSil1zxTSR4Re3iX_JYfgfB03d7jmfwsoAdxlU_cX8A5w6aKcZ7BbKYDmdCpHV8YsMtcEfVVLdR5Danf6rsRtfVXpY_pXdOEOK73KvX4N8YzSxEncb1xCGZFZiSY-nOovczqls443BG2UE-ec8YL3nxSkwl1INEmqc89BKY-pAgkr_DZGmuBYiKK9HRJ58fYWAFaqaBPejyAifUBeRny-xHSpIMMI_uHS4yHIfvIWezop6lc9EPhuUKbChqWuXJs2Ek51WhobSq-LddBOgP7Y8dKartjCthQBR1JTDqTGD-puQ1gpGrfoAErFABnRKj83bB3_8ScoKTH9bcbfJ2u7h_tcT53JggIZVbdxJ6m6T1fuggOQUAzu2nrudhDh4PGuW7xizT0kuRHu30gbAA4Yh1Uk7p9p99epet0hvYZd2jSh1JwyEMSAlEV8LCPdQs0HZ390ztkpW-9qliaM1cfsUl-diyf4O8TSQDl9cbGYuXrnEgk2JVAWV0ITGKqlC2V3EOwz-7QaWrHOdEJ7_79ZT4u-2WSQ7pvyNKcaFXHKikT7oY7wYs6MdeQHol1XT6Yit4X4oURIe4LpHR2gL7g1ZmHF_RiF8YbI39-xlxKPglRxtlFg7fqmwINm3Swi_Puyxt52v-ypf4rGx5FeDivARGqMzhHcX2qXdR710B2K3t8vHiwme5mPomSj-kVumJL3Vr2qAHm53l1hbQOBzVFsjthLStQjpQFYV1M10OxKG_msIiIzC7YAzJJc5P-PM_m00Bx9kcFzJ7gfK_mVZEsLybdXvw1t4Q54MxXLa7kfFU069JtMcTw2qLkcnJcBFCNdf9NGuElbQSVeuU35DnVIB-pNGFd2Dtu6ouS8M6VhUidTNnu2cVM1Hss7MjUUB5YzBApW9mozZwXj0Q9JHO49ZvCebn9FQPG6aJPtFRmhpvN0udfc9ht0K7wmBTG6laWKzNwC8WTJlKN0Se9S5we5i62Gg7qwG3FfBGrsWcp73r3MCOpWQK7KjdxjxltEUhgrXN_Nv8tl-5y_x8BWmDemQoetDoz5dv4Vvf0D1YmyUPmxkAnvnux8F-1x-VpD3lmp5rocCeWmQ66isaWC80g-Onc58-iFi4kGuoUgzfupATTKVNTXSvNVEazpDd5m12soYpw4EpTDbtvjskVcZh92mlmc44L2PawdJWlBFrUzq7RCOzbil-7IO5noggdquvNVryHvWSS6hhMfX9Yqe9O9OVDgDOOyWtJDvHKWzOTkWEwrwfB2SdED-E8iB8GKr-x-X9w1duihzkaomVj1gz28Mz1nemNX9FpiLkqNObTOBsMaNTVhcs4ZFaytlaNHWr_v4Q59XwwlZztoCHIGXB4vgpljxOFGLn67P7rpxUWc8iV6qHOiDAurLEclHzbgIiLHJf-ZKeSsOauRAvDiKT0Qo_xDrJuNHianTSWex7mWQlCZCdZdbfWfsfKah68DZVc0d83Drjjdr5Bdu1voEEi0_CJNd6N8Mq9NLOwrGyQFMXA3NilNAe4qrOMJvjaXpCZgRjGomdm9tEWDvEG1ZPWlplG4tqpnIdUuhG-6OB7n-IPkDeR-riM6p6Kaq8LWh8sWVBDGKtGcse8j7q0RCODVd7cf82-hn7ajDMbfx9YyX_lL4GtNCz6yb1GKhCSaB_Kszf3sndUtgfO0NH2_VyfbGmWz7Xw6MpFhGK-U67ptu50AkFK_YWne86vk8oDcb25eNNxVciGqZBLlOmW-vUueqEfF4_xgd4b3-tPGdLpWdbegjpPcpyoAz3TQBcx7FpG0Z63U22pVr8_2VXMMBjF7kimGcHiooKlDioI0hHk29S7lvj7osMyqA3U1J6EdlUVCrBjmc1eeNYBKEPuWos2ZTFeh1aZjByHoWfiP11XmzhIITBNpE_UriCm1I2Xl8nDl3HElb3lHSHPGLtUnQwly7DlhwnU4K8zx12fOKs1IJiiUFOhevgDXYTuBoJ8wUUFzZYsRFP6dzm6epQE-5-wGCZMGB_LrBqV28bVn4DpbRdnu6VlRvjjfxEKkWkscqrruioD-qgRM4LJKIxPOPX4-otNl9c81JqWND-DCDCtrM3bh2t_ENbvj4jgU7ndMdN-NOj1L29wjnE4kRXKsqTRZEebpUScocGR-wBBypwp07x55iTCRPpKdiez8hSK0AyP8ozKxPNeDNUG9_viZZzEzH57bGGn6JUdQGa_GNXGt7hzf15P2VPiIOtacto4npzbmRZKe-awr9rQbkW8HVflxLvVP-Cbec4BRCKbf5gOpiKuZT83B2rlipza0R58vTPeXb4VmxqEmbio9xETN_bTK_KsR8Pry5gvSPbVlnMRU42B-HRxSK19lkp3vfUm2t7Q_LRSv0bHQe8FQ0-YQEAbm3tAV9up81Q_aGUacYamIjiVKeYIr_ioIlpk4TM29-taqjOIatmR2IbBa2Ii9n7koko7HlTUIhA2HLW3tVYTxyhbUDWODe6MbmDsogV6I7r_E4d54n0hO_1aMdA6ZGYOCNdxwOt4Ecu9rZoMGYJDu6-g_LM92OFVOIxuLmmc-aO9NgX8vIEcroMUT1I7Stkx6cvozQwbZg1zqGic5vitqz-AX_NE4OQSbBsJu1yOzojUWxJuvmRRcAx90A57kN5mHDFDip1WVpt5A3pAjDi0eb6uSVNRlk0-GRu8i-QDe8NCZ9w.Bd88wTjH4WxECkczHIPEOA');
INSERT INTO moments (id, place, first_event, last_event, at, body) VALUES (5, 1, 15, 17, 1.79547653868956279751e+09, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..0jTBKRXzDVH8Ldx5.b_56DmVyAB0GyWQqmLuh0cVDnW65wP9G7luQzI5vlEZ_42kIKu7V2XfwAGBgvLRJb3cvXwcMPq8eTK_4nyxyhP4VZfqTfpQRZkBlerWLZu_jsovcpcjbCjDg_4r9J5_r5eVvXXcWpqMxfVmqdOIi1iXEV5leKDphB3hAr_z4D2ZHWYFRTys4U9MfiVfZ_bSYbNEUgqhSGESAJGr0XXnvX2tEWeUVXUGNED6dPzQ6rtNfZ0nYOARJ2jcDBbx6V-59O1dmsAZ6DIMmtwm6LyjPemrUCdxPHd0hAgY1crlvce0m7hbFFUDuBcifQVylVD7EwyBEdyJC1KfxzT03ptGklJYaJikuluBWu6xritSTIgp5xugtSIvnugWTX_9HdaNPG57imM8pDprZEDPnPMHBEoJ4uTpV8Hdt8LZ11nnLFlO1DBJQXLflM2DRpoOp4Y8pJfkAzNE4bTbDK1hPg5aBYjiGAufMIUmZSYrVSDxD-z2M3MDgtxOrB3667ffN6OG8zgQ93ZwVQeg917E4J5VCoBkVHHXHx8ZROsTemGWJIwHqnKtqIMeAa-wusXiKsNtUgn-U2Gikz67NG4kZbdke6jjXFzEyvHArN82i26yuEKz--4PR9WHhJPC2-zvTRO5LrvdSEh7huwacfTkghuEjHruh4M15IuV8Z4oacluW7VFZJs1Jc5EJNvWtaqaLuyFoMYWfYdXsqXF4ey-hKOWkQoK4bHZ9m7m7zf7uvXiCNL9OVP3_Jpoy76-vsmj4bpyr2lpBrTIideTbWJNyeyqGSIboxulKJW_ETG2q1fqepbi4v1mAZOeURnFxb3iuBV2jI62QkGyqoH-jcZfag7ZQ_T2Rtw441gXxVPYwwyulzjCI2h-87W4pUrfNZjrQj_uNVP3CWILVE_Gxuw2_73gf0kKQ75f5rizh38GdNc79g_DBIos7dGCzl4dvtnNRB2gTA8GbvsuYXO8_V6UMCoHG0ROVhd3Olyqn1UbFEf-Qc81ZGcruVCDHNyp78CLEn_imUj_ZdPDcd1APmDhJkZxrmsOtG46atgwxdpxRj141i-0sz5lcrI-ZuVkheXmcGaqL1-oNjxw8SHB21yCfV-UplxWIqtmC2rLAJdPojGxTqjv-BwDLR_ucyA77dpf7oHD3Yo361l_bvtgu-RmXLyTIRhjnOxY4nH7CvRAJeYnnlpEPw5iYpSrbc-Nm2xMVhz6AF-dkPKZP-tBq4mhUV33Sn9hFFTH5tF_dBBljlscfiZ2v-fzPp6c9l2F7v3n278Dfet23QkdpNjh2Lm-gDvQzOfVJK5xaTDsSGvQQ6F-DfX3uwAgKtopSrEh9ZVTNPTtiuD89_Pax6fzLlgpxxKFWYNndV0cFLOcMKWGAMhy3nHwFmQapSLR8-CdVDARuB5X2kI6TX4t5ZWognJMgiNXPHqm3e0QnRc4CNqh5cdnRtUkl8me_jz3rU0cokTklYPKsKedJHw-fczaKAlwLc8ZaTdIGYpp4zgBen-M8yB2bK658ZaPwU74RRrOIPKtxOvbiYJUJK3we3jMCtNteCNCE_0ZD4JgdlVQnq-eT6urfu_9P86RONpfsBOYBMwWq3gZA6ytuZ3eEaT2VLGNG_pGHz7Xvh1QQiPnYFLI8dBrqO6hetYRU0fcXAAL595avL3uyXmrNWDAubB_BTm6hMtq7SDs9d63B1eZYoZxbOi96xoBz5eJamwEEooOigr9PDrl5eORG-Y8UE9Bkp3U_KPP8aqI4AZyl76bBtqr0qdVH_x85WotEs7xOeBhUNiSQhrjfk3r54F1Jc-BlNJfm74p2gJdGZQTkAuSl5899UmTldCW5nWD-A2OU12yAUwUmilB5gR453DflSkzlO6UZRl6fTyG_DmD_YifRg1aN5spX6SL-nbuOmxZAhj9oTkRAHAqC7O0ZtJBMOQ67Fq-p3DBXbcEzYN7cGSBM-MVyTzI5axXISNgRvB83xjuasZNa9MD97VjndtU4euOBxcN8ZEQuGANooe6M4KnBmvgwmyvmBw5I0XR3buZrtJo_JNRnVp4noGfwjq5nYCb35FmOtt5Up-rlALfTdBFPUahO60puYzMQ7LnkyS4BP7HOWm2OVPhNYojvCytxbUhMjhzlPx-yevT4MU-UaphBNNpuaLrnwIW355xBoOJjUqnRfD-sDD4rw6a2TqbtUKlzypUFuGrn3NyO4QjWS2LVG-bJrEDgxDdCGF2tawUZ8KLOkB86TMWw3OGMPy0yJo4coH9A5oEh66RZ_Lc9isy36sk3kQgFFCNZVFEoaMuvl_IZ97ZiuV7rgP_4t1mQRiyBYWTM8hE7OyGeDWcDlgidCnSp7Z9M9gn37Y29cNaXoihY_5r0EuWNwYIP3M-p3F4poGpIVRiwx5CqIGwEzPyPEL7qjIazeBNzewhj2SDKfznXB5RE6Q6lmUGTnpIco9NRLnLoZoeKPuss0zh9igJYiY39yshbS1FtmLWcBKvk3ou33566HSjx6I0anxgSxkPfCWKAdkLogKthYDDbVPlR67rplCZ9i5zaOUvT9PPF9mlGNSoHKDo-Xl6TpzL3Swg3jv_vsx298qpG4-4Hzr5XEkSaKq_g6hiLEJocA2v0NtB2D7JN6DSd5PQ-CNsag2oZIavMB-4Kq9PqWvUsp3eXB4FaJLRQlc9YpyMlOF8RUeagXf9Y4pd05pXrBiLLIBMD9gx3TiUBG_Tql2ieFrd9UJ-sDoRgTPzTeUwWIISkCEcwMX8WAGM_erk-tZmS2LYZjydqL2RJiviR2XHKbajK80IjnnIbdB7Imiw9viRuThH9cYUDbWlqLrf15lcj9wp8x7ayPyteeoNDPThYV4KOBqNKUMWnRaoDipfyPjNA.JUDTVocHYdFEHKtDzC1ROA');
CREATE TABLE restores (
    snapshot TEXT PRIMARY KEY
        REFERENCES snapshots (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE session_words USING fts5 (
    user_id, email, label, claims, facets,
    columnsize = 0, prefix = '2 3 4 5 6'
);
INSERT INTO session_words (rowid, user_id, email, label, claims, facets) VALUES (1, '5594060a-78c6-4f2d-9205-721ec3592b47', 'landed@example.com', 'Landed', '{"iss":"http://127.0.0.1:33009/main/mystica","sub":"5594060a-78c6-4f2d-9205-721ec3592b47","email":"landed@example.com","email_verified":false,"session_id":"bc014133-8ace-4df4-8a80-c042b6b2242b","iat":1795476538,"exp":1795480138}', 'w6D61696E a6D797374696361 b656D626564646564 d6465765F4B61553647434C7766446D4351796643 e');
CREATE VIRTUAL TABLE session_terms
    USING fts5vocab (session_words, instance);
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
CREATE INDEX sessions_disagreeing ON sessions
    (workspace, sequence, ended, expires_at)
    WHERE disagreements > 0;
CREATE INDEX snapshots_by_workspace
    ON snapshots (workspace, sequence);
CREATE INDEX moments_by_place ON moments (place, first_event);
