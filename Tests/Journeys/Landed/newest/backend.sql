PRAGMA foreign_keys = OFF;
CREATE TABLE foyer_history (
    position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO foyer_history (position, name) VALUES (0, 'backend-1');
INSERT INTO foyer_history (position, name) VALUES (1, 'backend-2');
INSERT INTO foyer_history (position, name) VALUES (2, 'backend-3');
INSERT INTO foyer_history (position, name) VALUES (3, 'backend-4');
INSERT INTO foyer_history (position, name) VALUES (4, 'backend-people');
INSERT INTO foyer_history (position, name) VALUES (5, 'refresh-tokens-1');
INSERT INTO foyer_history (position, name) VALUES (6, 'backend-snapshots');
INSERT INTO foyer_history (position, name) VALUES (7, 'session-ends-1');
INSERT INTO foyer_history (position, name) VALUES (8, 'session-ends-2');
INSERT INTO foyer_history (position, name) VALUES (9, 'backend-workspaces');
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
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_EQf8nB1ZMEyqfWsg', 'mystica', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..tnHzDGjm5NS6CBRP._oc71ZqEUHXJK1gv9sqn7uIevJsS0VHEMr2dn15ZxOKCh4Jegwa32pExYKY_Po3ePJ28OSs5Cgi0o7H8M-X1O5aK5ipskWifu6-uXShNme0ND5RFzEN9iqQhmS0r1wnDTkvQAqZcPr9jaz1TJlfxa1SRNgKh3d8goTcnx-Bwyaq1WA3AaQSQHklrZKCpTDTley3UboFRKc-ItRnPU8Z46kjBJdFK0wxpy5HDo9_TXgWzMLPaE76O2Zu-hlq9KvX06EcYNTfUQ-eki2fwf5e0IvkIvH1ggynGAH6jFPbP4A0UP6qO9HRo.EuVT3x3jEU1YZ1GGz_2PKw', 1795475072260);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_eZUgFhKU7GCM6m2F', 'bob', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..SiTZ1EXc5BJYsYec.OqQ7-_8uhoc35mV0KyFKfSASoV3lXxR-9I8ttpL1nfLjf8UU-MUnElAaDAgfgyIrfsSiwfmC4HBnJeeSsIyL_gw_VsKgqwrObDHs3bZUMQFngsj-6AeQ1zimljM-4xB69wfUh5sHfY4HB6Q073uoPBr_jE1e8g.t0_CC2FH897ri1Atvb42_w', 1795475072260);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_e3AVNhwWdXi9A8mq', 'wall', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..BDMI6iKoiR2ZsRWI.yxKJqyjVXuib-oBiXKjQEzo71RUofOtg7wEpmhb03xTaAtYW6MqeGl9nOEH_VHgunUMItnrgC617-rfVqgIRQTpE5MSBw3SD9iDcwWWYHjL5g1_yswicYp9u-81I4wDEWCYR2byc5BWBQwpYOZhlnUNGgG4SYg.3NEhtyeN7bSGkzA99qW7nA', 1795475072260);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_WX2zYwRzAVcrg81u', 'clarity', 'code', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..wdFld3g_WO2a1wnf.fBqd1rYHge5IsntIv_4aMbn3NwBxDxi9VlE3LBLzbv92brldGHZGzc8zjvOcb-V2vFTJj1zjSwWGxAQTz_UBGmdQmjinuUgOTK_o9CwBhfru0ESivpBwPOj26z1eWFPB5wqzFeMbJaaDbUDvRGbjp92q_nDP4g.BZ7t7Yg0IbQDFcXxqyPdMg', 1795475072260);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_85aN4duBqUJy75H9', 'socoto', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..MVXjaF63MQ6nFfUI.Kg7ZnCj3KN6d-NCpThp8An4md3JUOOj7k9AtihY3GHtTxn2LYoSbFkGhHAFVDrIuBVAi-n_TxZe1AihPXbP_fj400lFX0y_5Qfs0tPauDLnXIJcYGcBGNVJFWtoys5Tpv68QM_6mEkFijTdjMR_Z3zCGJrq-YRLKR1FesmnJbbK-1-7sBUp999fxuefA32uFE23R9YzeUS4REDvNnGJDTVt1x0JraYlv8Z8ZnddyoG1nNbg5JR-pUmel3eG2pwQWvz1e9yNjiENVWeRqT1qOvBW-cHL_-RAqzCagf9yCVQvl4sURcpCC.tjNCVEAIkgnae_5JQv9MEg', 1795475072260);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_dtA4PUeh3Fdwh81n', 'wall', 'code', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0.._yX7g_qYCACu42ow.k-_ZpSpR_Mz8lMvE4sv3wMH9OneYo9VUVeg64JeWxWfkElmC819vvtq_lMN3jKc6iQ6JN3thkvXT_Mu1aXBESo4L6vYZbQtILK_RjMltNdbTnSF1Eby0Y90Eu1nS6KlPCevmU4ADcwUFBTDyW1_R_PRBNFGC8A.ZWSBRVnKPB4k0kPkcx50bw', 1795475072280);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_2arQfZuXwMAJ33uH', 'socoto', 'code', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..CE1BXJO_GTg3y3XR.cyI_jDRWh_IM72CiKskvRxorp230JPYK7FtnC59mBSko15B9Ro0wmHckf8_brF61j3k-IYT7aoGiw6jZ5en-0gKFmhyogpjD4vM-M1FWxjge0PjfXCUiNOF2ditlkIbCflP1XrZpH_RhqptZesZr0-cFI12Lkg.lbSvp4rrnM4bV7BeU45IJg', 1795475072280);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_Eb2BxiMAiegN54hr', 'mystica', 'device', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..GHn-Qtzet-4pkMPD.qDlK_JQFG53KL9o0eerXkHPK3a63Br1z-k7jgTZfsKe9o5KpEvsHVw7oULH24WIEm-8udqw25zEdj_k9ufoHHEGFrk_Pi13TjXsks_ElZAMZ_P870CvUmmwonAbKFQ0bkuAShIntdvimxQLVYUa89b0mjwDqGg.0MrIgTD1R3Nu7te7TnteIQ', 1795475072280);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_MV49yuqcQykYZgQB', 'clarity', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..frQ40L7ofi2fav6p.jFGlwy6Rrq5hF-BdPcG98FAuhMQZCrP-84lIiR8FMluHtbR4vW75_5FlXPYbbFSBrqrkL1Q52L-n0zsXlXxixuDIMrordu06BMqSgWSFdWy6aPcwJTsVGXzuAxBSnOeAuUes4_gajXtTmzlxAC_9Z720UzHxdW533FOQOJ3kFoeXK1fsQodlxvFT_9QapN1th3TgIPDFSBpbfSZeQVJkjb2nh2jK3h1MvZitmPrNR-ZbZmGxAV5f3K2n9TeoEcE6PuA1dK1nXzWVHCtiWw_Cci8Ybu8SHTYUxa0Co-Oyz0tMQChN4glUO5Oy2JkJDmJWQjCx9ELA5abp-_UVl7VhcvcrFqTJv22EuiG38yQjOmu1LD1NEHmdTX8MmMpQogQmEvVqSQIHfbN1-XNfIQJkZtDuIEwJXE1KNcRL7Uq4RP5w96k7f0Aomdo5PGWLffIOrKhUe-8BJeOZF8-PQzi52_-Tc2vgsZPjiES9ziKeX_E-xGVhvgoo8B6T_VPq-Dur9QcaaP2PTFTzQWU6jnxVvZs6ItGbPYGatUwhYWBl8apG2X-gmDhdL0I1QwisoLKpXYp6XOKsv8tMTwZwgFE3VKwOn3x7I7Pr-2p4MvGPedZ0Zxiy3oPCuSk0FV3Mu9lg3wBL4Lm9dfQ_Twy6Zr1Rer6iSilWUXnchr1wn480fmB2KBxtcz7quxb3uLJgcK4wNrTqVUwMngdA6L_mZWcoj2qWSzjQDShC5Def_6-zp0rsTusolYqWO1upqlSMc_klIR9VKL5rTsxJg2DBH3CImAliQLFmHOHu7EAsk4Au4pBQHUozKnf-meNEjGcQ2zvlA4lyh5b23JvWiHVnU6eEV7dLcgMbX-VrXU7j6ow_Ufy9qA8YraZGHMsnSGoqQyGJdD-8URAueZQ-Zr3Gx2rqxADASqfdDe0bnbn62OSNBspZA7Z2FCyQfYD1osEoCMM6GV5g-3JjUVm8J5Q1yZq_LtJg2z-jF5lN1E5WWAB6To-KOx5j0mqXixVk-fdqDzRpuZpbBKPk7PQPYyIdXWtohpGy-F7Gaq_ISTzuG6wXlKphcw77Lyy8qAQDUL9SWEZFTSOX606UglI9kVYgVihqZTCR53mQ5ihjU7mijy_QOQ9AyUDBKOPguxKLOf_GBNCnNh0SobgG5uGczm-IZ8nTQCe2XIJyPLiXdYPnBfk_zzOYnak9lnCsg45eVjGDJBhhOaa8SQNu0HLwE2uEHCVIse_OhQY5aaTt5xxqDEkc4ACrkIiKufGf1perqIfmBR2iki7nCU2AooMWw0ny9Kj1PQBEeqkPkoM5QIiZ5nHcEUG4VLLY_MzoAQdA_DmDXCAgSny7RxDAd9TNqVF26ywuxMP8NBwbb6xTuZyZdbfBghz09zhD2AflM4DEGi7Zb8j83LIzsxl2ajgziCw4q3tH-iy4yfpYbVylPS0h4uQ6ak4eOBpqYz43YdkhP4XUVdIx6KVAGTt-M_RnrfEEGzzlmpLciILJWkiHtN99JHVy4KEiKObC_1tiPpHeWVrHLc2LXKeO8oszmXbuBeD7i0eU0f0e0C8p39PaQQnUd6pDOXmfoytJxz59v-_FJKBlQXFUMZnS7wZYDYjhybHKIhUPVU08CBgrfyBDKiM3UetNvTZfaK0U9q3gvOr_2R1AqwxRMd5PiG1Rxwbli3jp8BXumqCYUQG9EJYGKNYlj-6aSRwWSafOZM4hHb_HS4LwJxJ_LkF2LPowlcMpEhuWJMpKt5v2BuZrXG8ru03gwEgXjLCI8LwM2BGm4lY9PCiWuy0zGOJubuJ_Tzs8jWB1qz0WMj7-mywWOobMUvPmZian0ofthkKNQNRVL_ZYtDQVc2xeFxAS3sSDajE68Wz6dayq86tjV2FigK6bo8HfgjVVclC0Q5MuoKqCVDSeqOj_K8qm9KQYptTqFqHe9FhFWQYG9Mcauo16KTw4l9Fk1BMfWwKaefTfCH9RZDjGV-Ny0Mf3g0YZ5NBVpBDGKuK0mm9bJHrHmpqv8PNcimxvF-6chWBmSUVO6dABeLZotIuBETA9bYVCuZ3AQWFgPTFSDTbYK-zYstJ8kLVPLydihmm4yQd0UoQVgJgZ5ObrpYQy1vlpEtmN--Ul5JlPcfOc-JVZM0CQBHoJWJLdVFhKl2xLDeCPMZC8RtC5wAgxABc1FCwmyYnbtoWpmhASEmSvhYH4vh6IqD-KlckdnvakwgJlDWU1cjK6ljc.gmBt25XJZaAwyq1syKlY0g', 1795475072751);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_dH3vZiBVzjVLbNCL', 'socoto', 'project', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..WBPbqKkrpKk6seSg.yiqziQfJ6MhueJQ8xxO9X4519DBx5ztwR-7Nbt66ccXuW3nzSjXd11lHUVFcLRgqd062UT9pfdT_tnhsLrTVM0THWGo5vvKwlQVAgP7QMP9HgzlWF0twAgbOjBmDS1poGkCl_MgUosPA5V8jyFzElQm4LEwlmA._gpCgGzAQr_H5gs7KNWQnw', 1795475072752);
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
, sequence INTEGER) STRICT, WITHOUT ROWID;
INSERT INTO accounts (id, workspace, contract, email, password_hash, email_verified_at, disabled_at, locked_until, profile, device_id, created_at, last_login_at, sequence) VALUES ('a84ce3b3-a91f-4565-9f76-593cd07c5a7d', 'main', 'mystica', 'landed@example.com', '$y$j9T$pr39RVc9HdxxPvIBnTxeF0$7eu3OxShQaqm/x4YGtFDuiI5RTGXk4ePNFt0hH/3Li1', NULL, NULL, NULL, '{}', NULL, 1795475073736, NULL, 1);
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
INSERT INTO sessions (id, account, workspace, contract, generation, facts, created_at, refreshed_at, revoked_at, revoked_because) VALUES ('f1261f04-9c49-4f52-9316-71cafca0d980', 'a84ce3b3-a91f-4565-9f76-593cd07c5a7d', 'main', 'mystica', 2, '{}', 1795475073736, 1795475073760, NULL, NULL);
CREATE TABLE refresh_tokens (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL
        REFERENCES sessions ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    issued_at INTEGER NOT NULL,
    used_at INTEGER, reused_at INTEGER,
    UNIQUE (session, generation)
) STRICT, WITHOUT ROWID;
INSERT INTO refresh_tokens (digest, session, generation, issued_at, used_at, reused_at) VALUES ('3205df3ca627fcc80d8c78d05defc2cb5466711058e83873556ab50536d2ac06', 'f1261f04-9c49-4f52-9316-71cafca0d980', 1, 1795475073736, 1795475073760, NULL);
INSERT INTO refresh_tokens (digest, session, generation, issued_at, used_at, reused_at) VALUES ('32901be5ee8e49a68877bd991448f99b7fb807a8ce0ad25ac266f8061388ebdd', 'f1261f04-9c49-4f52-9316-71cafca0d980', 2, 1795475073760, NULL, NULL);
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
INSERT INTO mails (sequence, id, workspace, contract, recipient, purpose, subject, expires_at, used_at, sent_at, sealed) VALUES (1, 'mail_W9VNS4QbUr33VNeD', 'main', 'mystica', 'landed@example.com', 'verify', 'Verify your email', 1795561473736, NULL, 1795475073736, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..pI3QVZk1rnq1GwWl._Q9Xd8JsOFUUwOb02hQANTZSABLiagDJyWVmmY4_0eerOGYq2GaXtD3Aw2L1eQXQOznm7ksc53RT6jcnvPlpWyPss35a7lcz8m0-3ewFeAn3CR2uU-lAd_IcUx4rizN5CKNIk0v0Wddnpz1FAOXEGKsFNg2kmHRLKpWwbWeReICN1nd8_D56FCsmfvcEHVOAv1WiQZEfWeDw0md0s3aQ09e5sQabQJRTzM2CS5RotNFHdeDQV7g8pihajbZPmWcfkf2UMEHQuuIMwsutsuhvSRwFXlu5Fv3W6l1NS58p0QSJyLkj2yg97fwrAB7D6vF8Dr8szpx92eThY17Xwv8hGEJiac3X1ySy3h35mfWPaB1zgO_40S-VBdf6uXy-3EM52gm8MCZjKUYxQqjot_b_3-Ou9-vpxnn06cbQQXcspZU6uPQEtHvMaU-xcR7Glj_uXVjX8Eb48t8iZ3Mo4LrMZVZkLgzMWcTK-BswKc4AmA2MIAkF_rDeQm4U6WBNmAiehA4kfDFgsxqHVK5UTn3rKAyOdXZ3vzuG4eVepT5_djpN_A5u9RgAKuVcYY4yHpHqlWgp5gkp5J48C_TVSXqoVmJ45Kx4G-Ctcpy-zyhYcE6BQjDVOEA1cFUvpRRVtHZ1EMP9ec6oETTa7IQWcoi5dxnT9LHpAQoxl6ncwG2PA0dQFhicAQo-6U0c9Zv8mHkLEZp-IxtWhkZLQPYFTtdfajKo9TWu_uVaPB9DWD_LB_nWaUUj3WuSIKDML7rXoC5EgS8Q750Bju7UtqZsFJeam5OtW2XMeNleyCDn8wI-ipSh8m9dDTfhGuSKIcJsy1isYv60eLWdAE5ZYSOQOFcfmox7SVpcvHEpZUE6BgITcIdychVg7Kirj18KvcJskF6HRhuPBRzUIL-gqYCzhNivm6Qf25j8aJwOxkDeimYStzaLHr-u-_7C7ZST6o8gYXiqBMJryAw3Ta2vYpo_Cnepkd1fcHgEBkiuIpRi94c74-IxrxsERjhC8sGLryKBGNAQ0tSZy0TR2WLxDUGYW_Cm9no4WgLq18R1wC65yK51-IbHzWUu4iYZvBavDeMqk5DLW5PgD2BrBtJHBjSZLByz8yjlRi2pKVYNob4ixT3lAC8yeibcI47yxGoWElVsyKNqOG9scYYOHDx0CDiHsjtQJqbKUSvFb1q3N2OIdiBlMHXNELOzK9xfpormI7wm4jC5A2ypKL9cUGE3UB61TShGc-cIQxwKs1MG7I33XxuTlcvZQdX_Bv8GX2YUY0sYsDtDvK2ROcwdW3h0FdB-3zzH-uujC2tA-kmjrJKK3M9L9yD9e5j4FsshMWNj9RpU-lVkRnM3sqf9E_hmUSmQqrL_GTNuNEHw9r3x2mnV66lsyWBkyIsNjZgvTJM7YKh5OwaMBX5pZEKr8Y4mrprc_hgUZcgX8BftMTADzv8QX_eqJ7g-EJdXQOXq-9Lh5oK6Ha3IG2Vmi9J9SvczTp7tf8wjCcfOZP4XpfTjVvn4GNFCJaRW-ClX3KwKxz80Ra5lfrEn-4Ke9EC3DCbiBgu-3b9oRuVXNWOxFoobojn5IVhsQIf9tiPAkmxfjxEeqEVv0VKF_2OSQh7Aqxp9hHTWqg2UdmLyaTKoqEfuNx024c2nRc9287CnGb3nE4tIYjO3LeLBoa9zXgYJ95yW0brq2GMr1cdBkXUFd1cb7XxPGzNsb_o_W728iYv3JtYJ7HGHsSs8bERedjzaHzyE8wHkJ-OFSpBWT8UvOWmjvY-ztM0b3Qn0oJmRBbRBuMB5025AJ4ukdwu_9nM7WcVX9GAYLhD3RSSH1gE0v6w3cHXHXfvZuDJ9WcXk_GGElWzblqhPnyea6UopkbpKTMyl94Ch3JcCLw7xJt-z4jvqZyXmED9DtmVDQdQ-JQTBumAx-fhXBltQodxoQj8LB2_0IDf8MRIatfeHJwKQBw-ejnoA4BNqQidwEP75o2Ue9JZiLaLWBRu5FitMgZ6pJHFAy2ogF6zCkcQOsO2TRsJ-_xwt7he-Us7fiMggRCX038-ZLgokiK-BTGl7fWEbiZoAjauvgHW3bKttJHRLPQnKbEHuKxcfOQgZDlPXmVj0VSw9F4mIpVBLJRMzTjJhRzViU38PfsSajDTxxsg1kf72rQv6QiWIpv_D9raB9Qy_mqADA57vX8qBWR5nV8U7eSyCP1U3hvpd9fqGNKdhxABCed8ubrn__SnuMY5pULDOzfffAOUFZB2WPQZK-UPEV381QP-GmvCQvuiUKGKW3qqg1ny4q9697PrYEbYIqeREoL0cE1M0KPAYHmdTdFWNOz0NHLTdv7LnLdzw5AtOY5ZHW6Z15UIG1xOPtSf_KQ6GhemTAyizjPXGP43UtmY9yFTGvFiAxI7TQgKD5vFcoOE1C8XBfVnmVr8xf-Xq6fLa8jJXSpRiDO07SwNE66H7vafJ7S6Oa11mKFjzh_pxII4qQBsA4Rua--EjqpSFiN_MjmvvYIc.ANtd3RssKHtlC9z4dgQBJg');
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
INSERT INTO challenges (digest, account, workspace, contract, purpose, email, mail, attempts, created_at, expires_at, used_at, replaced_at) VALUES ('ae2a6bac9e55dd6e97209c901982b19f5d1e7c11fe29076472c478cdd277735d', 'a84ce3b3-a91f-4565-9f76-593cd07c5a7d', 'main', 'mystica', 'verify', 'landed@example.com', 'mail_W9VNS4QbUr33VNeD', 0, 1795475073736, 1795561473736, NULL, NULL);
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
INSERT INTO mail_requests (sequence, workspace, contract, email, purpose, outcome, free_at, requested_at) VALUES (1, 'main', 'mystica', 'landed@example.com', 'verify', 'sent', NULL, 1795475073736);
CREATE TABLE switches (
    workspace TEXT NOT NULL,
    contract TEXT NOT NULL,
    name TEXT NOT NULL,
    is_on INTEGER NOT NULL,
    PRIMARY KEY (workspace, contract, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE flows (
    link TEXT PRIMARY KEY,
    account TEXT NOT NULL
        REFERENCES accounts ON DELETE CASCADE,
    challenge TEXT NOT NULL,
    method TEXT NOT NULL,
    code TEXT UNIQUE,
    opened_at INTEGER,
    used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE token_lives (
    workspace TEXT NOT NULL,
    contract TEXT NOT NULL,
    account TEXT NOT NULL,
    seconds INTEGER NOT NULL,
    PRIMARY KEY (workspace, contract, account)
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
    id TEXT PRIMARY KEY,
    workspace TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO snapshots (id, workspace) VALUES ('snap_kbBgPJf7GCUMjrUN', 'main');
CREATE TABLE snapshot_contracts (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    contract TEXT NOT NULL,
    PRIMARY KEY (snapshot, contract)
) STRICT, WITHOUT ROWID;
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_kbBgPJf7GCUMjrUN', 'bob');
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_kbBgPJf7GCUMjrUN', 'clarity');
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_kbBgPJf7GCUMjrUN', 'mystica');
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_kbBgPJf7GCUMjrUN', 'socoto');
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_kbBgPJf7GCUMjrUN', 'wall');
CREATE TABLE kept_accounts (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    id TEXT NOT NULL, workspace TEXT NOT NULL,
    contract TEXT NOT NULL, email TEXT, password_hash TEXT,
    email_verified_at INTEGER, disabled_at INTEGER,
    locked_until INTEGER, profile TEXT NOT NULL, device_id TEXT,
    created_at INTEGER NOT NULL, last_login_at INTEGER,
    sequence INTEGER
) STRICT;
INSERT INTO kept_accounts (snapshot, id, workspace, contract, email, password_hash, email_verified_at, disabled_at, locked_until, profile, device_id, created_at, last_login_at, sequence) VALUES ('snap_kbBgPJf7GCUMjrUN', 'a84ce3b3-a91f-4565-9f76-593cd07c5a7d', 'main', 'mystica', 'landed@example.com', '$y$j9T$pr39RVc9HdxxPvIBnTxeF0$7eu3OxShQaqm/x4YGtFDuiI5RTGXk4ePNFt0hH/3Li1', NULL, NULL, NULL, '{}', NULL, 1795475073736, NULL, 1);
CREATE TABLE kept_sessions (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    id TEXT NOT NULL, account TEXT NOT NULL,
    workspace TEXT NOT NULL, contract TEXT NOT NULL,
    generation INTEGER NOT NULL, facts TEXT NOT NULL,
    created_at INTEGER NOT NULL, refreshed_at INTEGER,
    revoked_at INTEGER, revoked_because TEXT
) STRICT;
INSERT INTO kept_sessions (snapshot, id, account, workspace, contract, generation, facts, created_at, refreshed_at, revoked_at, revoked_because) VALUES ('snap_kbBgPJf7GCUMjrUN', 'f1261f04-9c49-4f52-9316-71cafca0d980', 'a84ce3b3-a91f-4565-9f76-593cd07c5a7d', 'main', 'mystica', 2, '{}', 1795475073736, 1795475073760, NULL, NULL);
CREATE TABLE kept_refresh_tokens (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    digest TEXT NOT NULL, session TEXT NOT NULL,
    generation INTEGER NOT NULL, issued_at INTEGER NOT NULL,
    used_at INTEGER, reused_at INTEGER
) STRICT;
INSERT INTO kept_refresh_tokens (snapshot, digest, session, generation, issued_at, used_at, reused_at) VALUES ('snap_kbBgPJf7GCUMjrUN', '3205df3ca627fcc80d8c78d05defc2cb5466711058e83873556ab50536d2ac06', 'f1261f04-9c49-4f52-9316-71cafca0d980', 1, 1795475073736, 1795475073760, NULL);
INSERT INTO kept_refresh_tokens (snapshot, digest, session, generation, issued_at, used_at, reused_at) VALUES ('snap_kbBgPJf7GCUMjrUN', '32901be5ee8e49a68877bd991448f99b7fb807a8ce0ad25ac266f8061388ebdd', 'f1261f04-9c49-4f52-9316-71cafca0d980', 2, 1795475073760, NULL, NULL);
CREATE TABLE kept_challenges (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    digest TEXT NOT NULL, account TEXT, workspace TEXT NOT NULL,
    contract TEXT NOT NULL, purpose TEXT NOT NULL,
    email TEXT NOT NULL, mail TEXT, attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    used_at INTEGER, replaced_at INTEGER
) STRICT;
INSERT INTO kept_challenges (snapshot, digest, account, workspace, contract, purpose, email, mail, attempts, created_at, expires_at, used_at, replaced_at) VALUES ('snap_kbBgPJf7GCUMjrUN', 'ae2a6bac9e55dd6e97209c901982b19f5d1e7c11fe29076472c478cdd277735d', 'a84ce3b3-a91f-4565-9f76-593cd07c5a7d', 'main', 'mystica', 'verify', 'landed@example.com', 'mail_W9VNS4QbUr33VNeD', 0, 1795475073736, 1795561473736, NULL, NULL);
CREATE TABLE kept_flows (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    link TEXT NOT NULL, account TEXT NOT NULL,
    challenge TEXT NOT NULL, method TEXT NOT NULL, code TEXT,
    opened_at INTEGER, used_at INTEGER
) STRICT;
CREATE TABLE kept_mails (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    sequence INTEGER NOT NULL, id TEXT NOT NULL,
    workspace TEXT NOT NULL, contract TEXT NOT NULL,
    recipient TEXT NOT NULL, purpose TEXT NOT NULL,
    subject TEXT NOT NULL, expires_at INTEGER, used_at INTEGER,
    sent_at INTEGER NOT NULL, sealed TEXT NOT NULL
) STRICT;
INSERT INTO kept_mails (snapshot, sequence, id, workspace, contract, recipient, purpose, subject, expires_at, used_at, sent_at, sealed) VALUES ('snap_kbBgPJf7GCUMjrUN', 1, 'mail_W9VNS4QbUr33VNeD', 'main', 'mystica', 'landed@example.com', 'verify', 'Verify your email', 1795561473736, NULL, 1795475073736, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..pI3QVZk1rnq1GwWl._Q9Xd8JsOFUUwOb02hQANTZSABLiagDJyWVmmY4_0eerOGYq2GaXtD3Aw2L1eQXQOznm7ksc53RT6jcnvPlpWyPss35a7lcz8m0-3ewFeAn3CR2uU-lAd_IcUx4rizN5CKNIk0v0Wddnpz1FAOXEGKsFNg2kmHRLKpWwbWeReICN1nd8_D56FCsmfvcEHVOAv1WiQZEfWeDw0md0s3aQ09e5sQabQJRTzM2CS5RotNFHdeDQV7g8pihajbZPmWcfkf2UMEHQuuIMwsutsuhvSRwFXlu5Fv3W6l1NS58p0QSJyLkj2yg97fwrAB7D6vF8Dr8szpx92eThY17Xwv8hGEJiac3X1ySy3h35mfWPaB1zgO_40S-VBdf6uXy-3EM52gm8MCZjKUYxQqjot_b_3-Ou9-vpxnn06cbQQXcspZU6uPQEtHvMaU-xcR7Glj_uXVjX8Eb48t8iZ3Mo4LrMZVZkLgzMWcTK-BswKc4AmA2MIAkF_rDeQm4U6WBNmAiehA4kfDFgsxqHVK5UTn3rKAyOdXZ3vzuG4eVepT5_djpN_A5u9RgAKuVcYY4yHpHqlWgp5gkp5J48C_TVSXqoVmJ45Kx4G-Ctcpy-zyhYcE6BQjDVOEA1cFUvpRRVtHZ1EMP9ec6oETTa7IQWcoi5dxnT9LHpAQoxl6ncwG2PA0dQFhicAQo-6U0c9Zv8mHkLEZp-IxtWhkZLQPYFTtdfajKo9TWu_uVaPB9DWD_LB_nWaUUj3WuSIKDML7rXoC5EgS8Q750Bju7UtqZsFJeam5OtW2XMeNleyCDn8wI-ipSh8m9dDTfhGuSKIcJsy1isYv60eLWdAE5ZYSOQOFcfmox7SVpcvHEpZUE6BgITcIdychVg7Kirj18KvcJskF6HRhuPBRzUIL-gqYCzhNivm6Qf25j8aJwOxkDeimYStzaLHr-u-_7C7ZST6o8gYXiqBMJryAw3Ta2vYpo_Cnepkd1fcHgEBkiuIpRi94c74-IxrxsERjhC8sGLryKBGNAQ0tSZy0TR2WLxDUGYW_Cm9no4WgLq18R1wC65yK51-IbHzWUu4iYZvBavDeMqk5DLW5PgD2BrBtJHBjSZLByz8yjlRi2pKVYNob4ixT3lAC8yeibcI47yxGoWElVsyKNqOG9scYYOHDx0CDiHsjtQJqbKUSvFb1q3N2OIdiBlMHXNELOzK9xfpormI7wm4jC5A2ypKL9cUGE3UB61TShGc-cIQxwKs1MG7I33XxuTlcvZQdX_Bv8GX2YUY0sYsDtDvK2ROcwdW3h0FdB-3zzH-uujC2tA-kmjrJKK3M9L9yD9e5j4FsshMWNj9RpU-lVkRnM3sqf9E_hmUSmQqrL_GTNuNEHw9r3x2mnV66lsyWBkyIsNjZgvTJM7YKh5OwaMBX5pZEKr8Y4mrprc_hgUZcgX8BftMTADzv8QX_eqJ7g-EJdXQOXq-9Lh5oK6Ha3IG2Vmi9J9SvczTp7tf8wjCcfOZP4XpfTjVvn4GNFCJaRW-ClX3KwKxz80Ra5lfrEn-4Ke9EC3DCbiBgu-3b9oRuVXNWOxFoobojn5IVhsQIf9tiPAkmxfjxEeqEVv0VKF_2OSQh7Aqxp9hHTWqg2UdmLyaTKoqEfuNx024c2nRc9287CnGb3nE4tIYjO3LeLBoa9zXgYJ95yW0brq2GMr1cdBkXUFd1cb7XxPGzNsb_o_W728iYv3JtYJ7HGHsSs8bERedjzaHzyE8wHkJ-OFSpBWT8UvOWmjvY-ztM0b3Qn0oJmRBbRBuMB5025AJ4ukdwu_9nM7WcVX9GAYLhD3RSSH1gE0v6w3cHXHXfvZuDJ9WcXk_GGElWzblqhPnyea6UopkbpKTMyl94Ch3JcCLw7xJt-z4jvqZyXmED9DtmVDQdQ-JQTBumAx-fhXBltQodxoQj8LB2_0IDf8MRIatfeHJwKQBw-ejnoA4BNqQidwEP75o2Ue9JZiLaLWBRu5FitMgZ6pJHFAy2ogF6zCkcQOsO2TRsJ-_xwt7he-Us7fiMggRCX038-ZLgokiK-BTGl7fWEbiZoAjauvgHW3bKttJHRLPQnKbEHuKxcfOQgZDlPXmVj0VSw9F4mIpVBLJRMzTjJhRzViU38PfsSajDTxxsg1kf72rQv6QiWIpv_D9raB9Qy_mqADA57vX8qBWR5nV8U7eSyCP1U3hvpd9fqGNKdhxABCed8ubrn__SnuMY5pULDOzfffAOUFZB2WPQZK-UPEV381QP-GmvCQvuiUKGKW3qqg1ny4q9697PrYEbYIqeREoL0cE1M0KPAYHmdTdFWNOz0NHLTdv7LnLdzw5AtOY5ZHW6Z15UIG1xOPtSf_KQ6GhemTAyizjPXGP43UtmY9yFTGvFiAxI7TQgKD5vFcoOE1C8XBfVnmVr8xf-Xq6fLa8jJXSpRiDO07SwNE66H7vafJ7S6Oa11mKFjzh_pxII4qQBsA4Rua--EjqpSFiN_MjmvvYIc.ANtd3RssKHtlC9z4dgQBJg');
CREATE TABLE kept_mail_requests (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    sequence INTEGER NOT NULL, workspace TEXT NOT NULL,
    contract TEXT NOT NULL, email TEXT NOT NULL,
    purpose TEXT NOT NULL, outcome TEXT NOT NULL,
    free_at INTEGER, requested_at INTEGER NOT NULL
) STRICT;
INSERT INTO kept_mail_requests (snapshot, sequence, workspace, contract, email, purpose, outcome, free_at, requested_at) VALUES ('snap_kbBgPJf7GCUMjrUN', 1, 'main', 'mystica', 'landed@example.com', 'verify', 'sent', NULL, 1795475073736);
CREATE TABLE kept_token_lives (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    workspace TEXT NOT NULL, contract TEXT NOT NULL,
    account TEXT NOT NULL, seconds INTEGER NOT NULL
) STRICT;
CREATE TABLE session_ends (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    account TEXT NOT NULL,
    UNIQUE (workspace, account)
) STRICT;
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
CREATE INDEX flows_by_account ON flows (account);
CREATE INDEX sessions_by_end ON sessions (revoked_at)
    WHERE revoked_at IS NOT NULL;
CREATE INDEX challenges_by_end ON challenges (expires_at)
    WHERE account IS NULL OR replaced_at IS NOT NULL
        OR purpose NOT IN ('verify', 'verify code');
CREATE INDEX accounts_by_sequence
    ON accounts (workspace, sequence);
CREATE INDEX accounts_by_realm
    ON accounts (workspace, contract, sequence);
CREATE TRIGGER accounts_numbered AFTER INSERT ON accounts
WHEN new.sequence IS NULL BEGIN
    UPDATE accounts SET sequence = 1 + coalesce((
        SELECT max(sequence) FROM accounts
        WHERE workspace = new.workspace), 0)
    WHERE id = new.id;
END;
CREATE INDEX snapshots_by_workspace ON snapshots (workspace);
CREATE INDEX kept_accounts_of ON kept_accounts (snapshot);
CREATE INDEX kept_sessions_of ON kept_sessions (snapshot);
CREATE INDEX kept_refresh_tokens_of
    ON kept_refresh_tokens (snapshot);
CREATE INDEX kept_challenges_of ON kept_challenges (snapshot);
CREATE INDEX kept_flows_of ON kept_flows (snapshot);
CREATE INDEX kept_mails_of ON kept_mails (snapshot);
CREATE INDEX kept_mail_requests_of
    ON kept_mail_requests (snapshot);
CREATE INDEX kept_token_lives_of ON kept_token_lives (snapshot);
CREATE TRIGGER sessions_end AFTER UPDATE OF revoked_at ON sessions
WHEN new.revoked_at IS NOT old.revoked_at BEGIN
    INSERT OR REPLACE INTO session_ends (workspace, account)
    VALUES (new.workspace, new.account);
END;
CREATE TRIGGER sessions_gone AFTER DELETE ON sessions BEGIN
    INSERT OR REPLACE INTO session_ends (workspace, account)
    VALUES (old.workspace, old.account);
END;
CREATE TRIGGER accounts_other AFTER UPDATE
    OF email, email_verified_at, disabled_at ON accounts
WHEN new.email IS NOT old.email
    OR new.email_verified_at IS NOT old.email_verified_at
    OR new.disabled_at IS NOT old.disabled_at
BEGIN
    INSERT OR REPLACE INTO session_ends (workspace, account)
    VALUES (new.workspace, new.id);
END;
CREATE TRIGGER accounts_somewhere BEFORE INSERT ON accounts
WHEN NOT EXISTS (
    SELECT 1 FROM workspaces WHERE id = new.workspace)
BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;
CREATE TRIGGER challenges_somewhere BEFORE INSERT ON challenges
WHEN NOT EXISTS (
    SELECT 1 FROM workspaces WHERE id = new.workspace)
BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;
CREATE TRIGGER mails_somewhere BEFORE INSERT ON mails
WHEN NOT EXISTS (
    SELECT 1 FROM workspaces WHERE id = new.workspace)
BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;
CREATE TRIGGER mail_requests_somewhere BEFORE INSERT ON mail_requests
WHEN NOT EXISTS (
    SELECT 1 FROM workspaces WHERE id = new.workspace)
BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;
CREATE TRIGGER snapshots_somewhere BEFORE INSERT ON snapshots
WHEN NOT EXISTS (
    SELECT 1 FROM workspaces WHERE id = new.workspace)
BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;
CREATE TRIGGER switches_somewhere BEFORE INSERT ON switches
WHEN NOT EXISTS (
    SELECT 1 FROM workspaces WHERE id = new.workspace)
BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;
CREATE TRIGGER token_lives_somewhere BEFORE INSERT ON token_lives
WHEN NOT EXISTS (
    SELECT 1 FROM workspaces WHERE id = new.workspace)
BEGIN SELECT RAISE(ABORT, 'the workspace is gone'); END;
