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
CREATE TABLE workspaces (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO workspaces (id) VALUES ('main');
INSERT INTO workspaces (id) VALUES ('ws_xViGgpEdVBAQbLbL');
CREATE TABLE signing_keys (
    id TEXT PRIMARY KEY,
    contract TEXT NOT NULL,
    role TEXT NOT NULL,
    sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (contract, role)
) STRICT;
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_EEigD8EAEfMeHDpG', 'mystica', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..TH64q16HPxSWungg.giDxKLieEoBFIHdY9f2blG1HM8jL4WyNf1mbN9B6FhSs_vbYu7Ro-onbgLh_9NlUjWG9LzjOcNVVtG_J_6O3vSViTLlXG1Ucsb2lezJqivUeCGs2Jx3hRNWrZSg9DK9JK5JKHxIMgtdfw0kwRNqca3pRGbySV3Cf_6tHHhWXPi23CzxZk9hUOh4Qvqcw-ujxeSXhCZjn4opT4Szwz--n8SRXTj2rUBDVnrtSDdSKZK7xLmxAplpI3IasIcX-PZTKyE_IypcDmdQccTbqgoSECgdw-QOSDQwGSd_qcfbj0QvN2BjR6ZDV.FRZu69hK-Q2nn5EbJYOHsA', 1795476536265);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_tBPEW3uZMm3dwMD8', 'bob', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..3Jx78-Qxm2sLrNBn.lZH2n_Q4i6giZ1SEWFDXKOlCgCJgQtLNJnY_eT4QxBc8eExnqixcqPK0sJW66FYQ9jFOyH4Xobw0rNNHWxmeZ0BL5Mi7A0DbEKQmyAK00p6thyqY6riDX43uQTANVxjg6kQZFO0CzcnAN6FEqaWjA7IIp64YMw.9omIrBXDW7rlOdbtZOj7eg', 1795476536265);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_3ktsNSJMLn91NJup', 'wall', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..SM7oCEednlDF706S.PlMd5SfqH6bNjQfL4OY_aKyw445rpWmRxziTGQ_TwhiTfKcRzYMaXGvPl0A89MPlbX5MrkRCuWfdb2IS0WdlfjGJ5fGp37Ii0Htw5O3iItuMMozl6VuGKTVFxrq54zJyZAUSBduRiLm-Vrlwmdb3XnvaZaEljA.7LMWVeFe2t2Pd5nLK2OJdQ', 1795476536265);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_1Jk39MS9oyJLTtFH', 'clarity', 'code', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..ICPiu7e_2-oS3tr7.mEpN_mA8jBn4E4xHiG3ZgEi-FKPHYndlv0dGGbOawT6bVIlJWx1iAZBdyWjCoiMW9_L-wuT1Q0vvPyh-V_WMQPG3qezqchCKq9aYfelwldew42MugqpnpxRv1NEylbqEiEWafB0MB9Egnohf3-YEcMvwm6SvIg.97R4oBXePK2OPFYBAy6I7w', 1795476536265);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_HYpFJ91WyMFnCJ3U', 'socoto', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..Y1unh-JDyslFvM9F.uGCNXBeEwyCgv6WZzlv0ddUCFrHGuu9GVq_TFDoUs-1ds73s-1Ke88kn0HMJCKQFgPj2O_XI2qNVIF1B4zUW0CuuRraSdIoCCZ3AVF_r_woCaWMuqiMyaBYijEjXhmHbcowJOz8SjTVwj08Ie5AbPmxpX4yoCg1d2VzDtrNSJrYcIwX8GbDXt-Fxq95XXdwO703R9YkGDs8cZOWUU1o_tXRDGPlGwOHbCkaOZP5qZLVDyrSXJKmYAPOVtYWkzNBJ4EkdWqKS9m0DQv3bKSfDm0d4lZW3OoPcf-wAp8lWn_7cOTo3opgT.PdFMBO8Oos7fXgf11o77kA', 1795476536266);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_Lc9yjQRRBVih3oG9', 'wall', 'code', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..l3u6O5ynIiM9x4vb.uYxrn18ltzJdLAidEBd0vN2py0cQyA0s2ASG_R-jxBNhJCFurEEq2NBVf3r4ChIpIsF_rHuy6GaPMnyYeJo6e0_gQmcQy7m36CkgQeURUbnmE93XeBdbJbgrhovJOV-jOQYunss_RoGr6m1gdxgL_XogS6eJiw.cXYIVWDyVegZJUEuTB6nSw', 1795476536274);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_Ccc298wwS545fLJ5', 'socoto', 'code', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..1pDeO-__RFrLSdSg.kxiBABR58_vWvOcVGp8yOfGliDcY_5hjnB10MBaisDXd06n1ijK93oVK9sH6OEFHjpLDZLevYE_y0_Izb0WBaXJGTFZyfEQMQviod7Tw-l-Nq2bn1Z-nGXsFP4gkHP4L3VDQVvM_BKMe7xCAAIkqSowhgD8xJg.xa3wQ3OPpROwtJZzuyCCXw', 1795476536274);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_oxuCCFRUo6JA7mRq', 'mystica', 'device', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..xfVxzAMJdA15vh2J.mvr1a4I71cqKBiPTpsJgvDQcUkZ3htHUQRAzKBNlV56N3y8obLGfitrHCUFCZqwFTojWf4uSHvqf7jnWG06zIyHAIVhlskRUKSWTJz3Iz896TG3TX3WrkMWxu2DRsJcHOukephLgwmHqbKVmwuHTd1_2ZzTprg.kjuEwiVS40jO7wLkGAVdsQ', 1795476536275);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_FZAF6uZHcjUdegN2', 'socoto', 'project', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..3Bd0QHhtWVpTla8t.yZ1gYtmxl641Epe1FJmXJ2L1dP0Vi_4QLveWZ5QihYUGjlLO7dNPLISIh6-s8AV8IzPKyAAtvl_Wk-nEMtytPnq2AIxrx2HaHMXMY7i7XjmhUpd7Oa6pes-DEZcGt4ZZf7XNKzTU6FWYWMByPzyaOWdHlzB7Tg.GrdDrSaPPhhLKPQ9MhiQQg', 1795476536281);
INSERT INTO signing_keys (id, contract, role, sealed, created_at) VALUES ('key_Gzk5UPGN9G6Lb3Pa', 'clarity', 'access', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..h-GeSPnVnklgZ-X1.vVslFGkbiljyXv2ft26qui1lQ3zNDLq5GtfdOOFCyk-kqjuz-7zmgF32Yjgyo4ZE9FWEdpeHhL87tNT67sPhd6AmL1ftzGk2NXMjYGbHy2TEqV0SnDE40t8Mogok1hYYdpZGSbfKkkmQ927Qz1ITgdcy-S4ZlFdnCS0sirrfDt7Q0FsM3c-Za26XXtOMvg957HAeqPBAGIQMW141U-DezYy5-7OTvXV3lEz7fzpOF_ImAistM2UXmO62WVmRr7GrPW6mMzZ5_u1rPiLovx1ToGMvis88lAJdLXvvtSRTEIEZIaqYg2uNWj0hFl-7NKfRA8tvxAWruCxkCCFzEVG77-cdETt25u-rp6usBRRbp1juF-q9ztZM67AdDQ46qqIH3ZwS1ITxNTBnPFneTyO6Jocf7hFTvQI3B2zpfVa2rDE3C1WGDPi1v1SWbNJ9E2g9m3e5bzYLRS4zerZc6On6UaEXZLS6RPQoctcNr0tddmYDjsXh-M5ClbDyebZ9NiQjZ1NnTPFXErNrMMogN62nkCzb6HWOvBl8DhZh-VLt02Zs5gmAsZkuF9cKBnyOKrYzAQYZ1tsaH0uCh0SeaCtddiBBlLeOfS_ATArwdxxpj8ACnxROSOBZs1cbxQKF_Lqro0UTACHcDbO3zAs0EWMsDQqDMOrm3MseiPN7jVhyyab4Ax1KyO5EZjqK7UKzNKSvgi4lM-fpt8Bf73LmFAoV4Pm5M8BafgErjoICv5mLHqsZ3xzYkp3aZnMTu7D6BD2bojehtwSP-ayQd1jXMvhjYeWRcqdS8o7moa4D1YNy3wBt-2a9AWVZBFjklHCsgHR1ienxlcDkIIFxg2C2FiJzM2peawsTUkcdGci0whe4W-9_XIPqgN1LEC0FYYx2w26TI7Akq4jcilHJKGcOn-ckEI8v5PgSLdBrjsmBtMPfk_iFHjOpcTnIfjH2p_0oyUKiI710nmrMOqlLPNHFdEfgpINNDjXDsdJtOnlxkYrzlfXW_MN2CmTAHhYHQ2tDox1Pt3HK8HssPpIB4tazP2eVMxHxnrY1SbIKrQ9-gU5XSvssASym9fVkpr6YnB5kYzvP-zDfgF9INjPhbb4XMp7VN_S0L1E3xqF-2svIhwJAzOg0nzeXFzOcoMIaftSaBxDo3LnBmra2mUSLhRP7oTNAbb9XaW9qVogHuvOg0brw2wEgP-zpqm56_xUYoq5dwBDrjMrIuI58-pwiM0SgQ7n8JIJ7lRjkrsJWDZKkZprnSyG1BDDwxk825-Srkdn_FpRMEkFcg0i0R8IGZ7xZ0_P3N_mmFjXn2Syz7KfstUMhVQ3thKxcaCd35xAwj7LYxQO0n86IIDYYZPQUNMonVNuDBCIUTBBqQr90jsQv8b-GJSRomp2l0P422MO6t5px_CGaBCb-pFrfg5u5h6gho7gbeDAnvWdGIdsRA3-ehjWsG9mxNVJjTkQ3DdfyFsn3UPFJK3na4WUMFawAG5kyG0KFrW4r-jh_FM_8eacmw00DqzOJ0YqAPFBbWIDd0GO2Euil-dtNGOQBX1GhPxJmICO6Lrdi_MHYW7cu0jew25k6vwZ7SaENmRI508FqFV_Y5IOhyZCJKopAQFl4hwTSUCOs6mPmxXZ-UzT-JKWX_se8xtwKP9oAwSbYr92pJASg0-BeshKa7BuoivUmRpmq9tTl6E_J3z1NQN7_Y3k1JtrThazhXn4zcRDFoLc-jw6NesMP-z033t6E-lNGff_YootSE7JZO34YBY7fnwjH1Mbg7u-BLkKt8J7CeIIRBOkkgQ88RfiMOtMi6ZK2Wb4L1eDHBsMO8aDoLTAaKrJjTROc7G0axaqRRTGX2kD93jJ4_0lQHHYEVygumGHpDu3UrIVh1m5BKqQ0OWSd44jHf57xQ0l5a8a1ImCiXaa4iSCjoe_rZIZWtGL5pEzcDb3RzfX4oJY58PpAPJJvjKN69tOkB704OSuRJvgUSqMf0pNgxG9LX3ifkbM-f383uBNIx9nvjpMxPZql5l18CAGCM1AcAshCHeF77zV815OMOZdIhhPyDMkEGSr7iMjjkatFGjeIQZmm0z90qVXD1fWNZ_a31Cwl-z6-koUmn229yF4dUVd5x4V0JoVgUWdPs4reqNdg6jOcSuSgROv_AvGgQ55CaRO6r_Tcpg-9t64A5n77lY3F9cbEW7SKy272xlydlLePvkZID1U47KeYvzra1ivk4KV_EiX_YfA.tEB92m0FMXGIZbwFndGQow', 1795476537480);
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
INSERT INTO accounts (id, workspace, contract, email, password_hash, email_verified_at, disabled_at, locked_until, profile, device_id, created_at, last_login_at, sequence) VALUES ('5594060a-78c6-4f2d-9205-721ec3592b47', 'main', 'mystica', 'landed@example.com', '$y$j9T$85dlnKRoleA0rQTpsJoAE.$NVFB8FL2TvVUsOOCit/xE28fGBbrr1IMKKaW/uuXWQ8', NULL, NULL, NULL, '{}', NULL, 1795476538449, NULL, 1);
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
INSERT INTO sessions (id, account, workspace, contract, generation, facts, created_at, refreshed_at, revoked_at, revoked_because) VALUES ('bc014133-8ace-4df4-8a80-c042b6b2242b', '5594060a-78c6-4f2d-9205-721ec3592b47', 'main', 'mystica', 2, '{}', 1795476538449, 1795476538584, NULL, NULL);
CREATE TABLE refresh_tokens (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL
        REFERENCES sessions ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    issued_at INTEGER NOT NULL,
    used_at INTEGER, reused_at INTEGER,
    UNIQUE (session, generation)
) STRICT, WITHOUT ROWID;
INSERT INTO refresh_tokens (digest, session, generation, issued_at, used_at, reused_at) VALUES ('53ff9ee74aa8f8995006a85257fcc3271e6d31ceb2727c8c68998c42acabcfdb', 'bc014133-8ace-4df4-8a80-c042b6b2242b', 1, 1795476538449, 1795476538584, NULL);
INSERT INTO refresh_tokens (digest, session, generation, issued_at, used_at, reused_at) VALUES ('c345d29736d20f40bf2db275c7abd4b4fd129990a4fc7073ca18017319db35ee', 'bc014133-8ace-4df4-8a80-c042b6b2242b', 2, 1795476538584, NULL, NULL);
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
INSERT INTO mails (sequence, id, workspace, contract, recipient, purpose, subject, expires_at, used_at, sent_at, sealed) VALUES (1, 'mail_Wx8X95hGiMRY6vBH', 'main', 'mystica', 'landed@example.com', 'verify', 'Verify your email', 1795562938449, NULL, 1795476538449, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..cN1W81L3XBKetCsf.5GajMWI7onF3p9i4rWuF8zwpAbRMj3zSBKuqTnnLNcnP8oEnYorjEEkboWwkVL1dB99cMVR7Fea6RMsj3zpG3JwmY-LVrRMw8BRPCwQthkTosa-oHZD-_2GQGUStC2q3-NQmsWaMsuR7ULPaiRDK91COvYkhxYn-cRvgFZRCAXJAowPVnhvT9YMLhveq1Up9wxNvRHl4mbOq_tVl0GCE6N-hYVw0OSCX9tJPchrDzwrYD1-tOA5WaVhdFK5Ns5_bZtlBos2D9yV_g6eKrqDxFxOFYPD9cjet8jDn2ru5MgdX8n7LRl15UMDJSdcysCwx5ukhnjhL4hSWTJfR4xcC6RPptK6_fHeEMB2lWJXZiy8Ddugof_0qskqI4AoYWnod_usBZU7aRgjbsjDLaXWZRMjHKG7OHxsG-xwk80NCSJO0je34lwJGsH3btYyoIJf-5fn3KSTD6j6Qu6kADPsjGNVmXQss8jdKwVsNnuIzYYa8Oz5HmfsMP366VPngNNsp25VTujbrxE1pXI3vXpIIkNcLVyO4cmUGkYfpgRZoRxkEPkauXKmx5IPI4YQODZGTRms_pZ0UvrgPjke6Mz0dcHQgmsoVdRQ4KGZ4vtC2RRBmpRhTD3gUVvOq8l4S2zzNGNTzJhra8H77gmhZdoTwC4_h9hmFQAkB3gXPLwPGRuZAWdJ5TggNgrB-vrcKAU_eRwm2Ap5k-0ruQn5G3AHq2qBT1ROLTvmUfM8BExmxDMJR0t6XJQ59iHEDrQG9kNKyDUyvGbIJ4p1Ph-t9BlFxeWO_y8PhImi06q-qKSdt2QsHtS8vwdXQ8XRhGLgftUc7kmrOe4jbXY-YCIyrnDtlsbJpzUVVSlIAsau31Uu-qCCO1qTfMwLlZ5us82FfA30N6OK2UkQ9ShbgmqbiNiqq6KF2nSC-e8yp__Sn_laLzQhNnmzAdrjSs07oV4nafWiRqopW7_V2J1dPpQGHjVEz7dftNbVIcmX7tg5kOt0py4_9SlKrwvf_12bcFhJurpp98q0QlVZoIo_T1F5RWKRu8f5GVzXKnYU_rLTa6WLjYTAHiYVaWkSaTbphWJo03KZ0lOqeVRtTLCaOwVzEM51fLlmH9AYRYtf6ACEoZy2UHZCDY9QgzujPV8m9DygMpUvi3DGYOeD8yiJAwshEgmFMGRX_fb0p_LljDxINPhReIKh8jl3jn4JLmQRMZlLdnss4mfLICg4Lf2ARVcbM0Oq1-5vy6PchPPd8GtfqfMntveyUV3rQLazY6gyuSynsppytg7x-SPFjaDOJc5aaBnSoZU-1avlCMTpQxgrrU7SBufBBijdaYiC79722ImZ4p63ja4-de-44xUC19ZtRAhPNfXyFJfJWX8ME7ONYnAQ6nwMk1P4cMdUVVf5KaZG8PJOVlaxeBSTzc-WwEasX4ik_GlgcWY2BVT5KgU-lH-7l28n4oSrE5FunU3u9shzCBFAb5vYkLfwWAvD3yIZlpwknYg0qdDQV4-AQPUx0ZRhu6vo3NeRMLAPG8SwReyml-cYXdbcGbnIHvrdIKguov4fcCb4Kzwc1lJp_EvgrMSkrblEJTQTs4wJQlq_vgRQSHi06tg4j1xCTuBLlPN2XGXWVQX4Oye3c0gHNLlHGwpc3MlyAuzZcStPQJh877i3ELEL2r3i9TL5aq_pbdDp9jXMT4f7jf_tkb-x4Z2oiCvpC1-z3qnPt963EE4P8Jo1ar-uMOfYa1w2uQGUtTGOK5G2COEIAwK-8kawnGWMs_a0aAKAx3kenmlAxegETkChNZr4dXizZ_WKlprW7-4WXExHv7Z1i-Q-4GtnJ5M8qwFogeBApoShp02Z7xJpdd1vEsYb5rt43o5Leyqc0HlRwefHMQOYz6yKnQH_XkT0SQMWkCi-VyXNqU5fLULdgcxlVGvFVrrer6yusst9I4HTxjTtl4ZzQWF9qvMi2bm_P8FMJ0IP6QDDGLCY2vVVRDPrOU7hTbe-95jCexKrhrc7pkynveWqbEl-3LEXFuSoMswHI-BXstUuQna16el1Y7MJcr3AT4RoULPIEs5MA28_7vQgkeV6z5Ssr2cQZUbbg4WL7og8NjLli2kI2sLkPwiV8W8HpNKV8i-QSLQEon_s9cgAN6inl9wxTdy58GS7iy-j9seTpL_HxRjIVkK_uyDJSraH9gXLc6rbyWbFp6VcISZdDFmjyLdZ7yvhGTmwltssfyDVQrJnSJ-4cmYa0oCF25fhdDbVCcRPPfe-3-OGdXoI9ZaSNSJbp_d8Adou5raTHkuntPt2D9yJbaNZdRMv4oNWo5H-lHVfiEAAFbkjolapQwAw9qszgBqe77O0bKTWiTmMfemei4QCqJuDOA-zVaMO_7dECulbthKwcCUI0JLn4ArIvuF8X0vfjcGFf4QKhE4FhNntmYsBUMt9YgvCRxT63hQIFNBDux3w7kqeV74ND1DQTQSnsCkDLdI3aiGlxcdmfaIaa13sMPARenmY.NxNGa0GX0IBj4jFijA9SnA');
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
INSERT INTO challenges (digest, account, workspace, contract, purpose, email, mail, attempts, created_at, expires_at, used_at, replaced_at) VALUES ('fbbe2d161ad38e95a31b519e230d598391477293fc4137a6437c220f00a67c11', '5594060a-78c6-4f2d-9205-721ec3592b47', 'main', 'mystica', 'verify', 'landed@example.com', 'mail_Wx8X95hGiMRY6vBH', 0, 1795476538449, 1795562938449, NULL, NULL);
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
INSERT INTO mail_requests (sequence, workspace, contract, email, purpose, outcome, free_at, requested_at) VALUES (1, 'main', 'mystica', 'landed@example.com', 'verify', 'sent', NULL, 1795476538449);
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
INSERT INTO snapshots (id, workspace) VALUES ('snap_DQt1NL8of9aSnaJL', 'main');
CREATE TABLE snapshot_contracts (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    contract TEXT NOT NULL,
    PRIMARY KEY (snapshot, contract)
) STRICT, WITHOUT ROWID;
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_DQt1NL8of9aSnaJL', 'bob');
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_DQt1NL8of9aSnaJL', 'clarity');
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_DQt1NL8of9aSnaJL', 'mystica');
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_DQt1NL8of9aSnaJL', 'socoto');
INSERT INTO snapshot_contracts (snapshot, contract) VALUES ('snap_DQt1NL8of9aSnaJL', 'wall');
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
INSERT INTO kept_accounts (snapshot, id, workspace, contract, email, password_hash, email_verified_at, disabled_at, locked_until, profile, device_id, created_at, last_login_at, sequence) VALUES ('snap_DQt1NL8of9aSnaJL', '5594060a-78c6-4f2d-9205-721ec3592b47', 'main', 'mystica', 'landed@example.com', '$y$j9T$85dlnKRoleA0rQTpsJoAE.$NVFB8FL2TvVUsOOCit/xE28fGBbrr1IMKKaW/uuXWQ8', NULL, NULL, NULL, '{}', NULL, 1795476538449, NULL, 1);
CREATE TABLE kept_sessions (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    id TEXT NOT NULL, account TEXT NOT NULL,
    workspace TEXT NOT NULL, contract TEXT NOT NULL,
    generation INTEGER NOT NULL, facts TEXT NOT NULL,
    created_at INTEGER NOT NULL, refreshed_at INTEGER,
    revoked_at INTEGER, revoked_because TEXT
) STRICT;
INSERT INTO kept_sessions (snapshot, id, account, workspace, contract, generation, facts, created_at, refreshed_at, revoked_at, revoked_because) VALUES ('snap_DQt1NL8of9aSnaJL', 'bc014133-8ace-4df4-8a80-c042b6b2242b', '5594060a-78c6-4f2d-9205-721ec3592b47', 'main', 'mystica', 2, '{}', 1795476538449, 1795476538584, NULL, NULL);
CREATE TABLE kept_refresh_tokens (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    digest TEXT NOT NULL, session TEXT NOT NULL,
    generation INTEGER NOT NULL, issued_at INTEGER NOT NULL,
    used_at INTEGER, reused_at INTEGER
) STRICT;
INSERT INTO kept_refresh_tokens (snapshot, digest, session, generation, issued_at, used_at, reused_at) VALUES ('snap_DQt1NL8of9aSnaJL', '53ff9ee74aa8f8995006a85257fcc3271e6d31ceb2727c8c68998c42acabcfdb', 'bc014133-8ace-4df4-8a80-c042b6b2242b', 1, 1795476538449, 1795476538584, NULL);
INSERT INTO kept_refresh_tokens (snapshot, digest, session, generation, issued_at, used_at, reused_at) VALUES ('snap_DQt1NL8of9aSnaJL', 'c345d29736d20f40bf2db275c7abd4b4fd129990a4fc7073ca18017319db35ee', 'bc014133-8ace-4df4-8a80-c042b6b2242b', 2, 1795476538584, NULL, NULL);
CREATE TABLE kept_challenges (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    digest TEXT NOT NULL, account TEXT, workspace TEXT NOT NULL,
    contract TEXT NOT NULL, purpose TEXT NOT NULL,
    email TEXT NOT NULL, mail TEXT, attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    used_at INTEGER, replaced_at INTEGER
) STRICT;
INSERT INTO kept_challenges (snapshot, digest, account, workspace, contract, purpose, email, mail, attempts, created_at, expires_at, used_at, replaced_at) VALUES ('snap_DQt1NL8of9aSnaJL', 'fbbe2d161ad38e95a31b519e230d598391477293fc4137a6437c220f00a67c11', '5594060a-78c6-4f2d-9205-721ec3592b47', 'main', 'mystica', 'verify', 'landed@example.com', 'mail_Wx8X95hGiMRY6vBH', 0, 1795476538449, 1795562938449, NULL, NULL);
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
INSERT INTO kept_mails (snapshot, sequence, id, workspace, contract, recipient, purpose, subject, expires_at, used_at, sent_at, sealed) VALUES ('snap_DQt1NL8of9aSnaJL', 1, 'mail_Wx8X95hGiMRY6vBH', 'main', 'mystica', 'landed@example.com', 'verify', 'Verify your email', 1795562938449, NULL, 1795476538449, 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..cN1W81L3XBKetCsf.5GajMWI7onF3p9i4rWuF8zwpAbRMj3zSBKuqTnnLNcnP8oEnYorjEEkboWwkVL1dB99cMVR7Fea6RMsj3zpG3JwmY-LVrRMw8BRPCwQthkTosa-oHZD-_2GQGUStC2q3-NQmsWaMsuR7ULPaiRDK91COvYkhxYn-cRvgFZRCAXJAowPVnhvT9YMLhveq1Up9wxNvRHl4mbOq_tVl0GCE6N-hYVw0OSCX9tJPchrDzwrYD1-tOA5WaVhdFK5Ns5_bZtlBos2D9yV_g6eKrqDxFxOFYPD9cjet8jDn2ru5MgdX8n7LRl15UMDJSdcysCwx5ukhnjhL4hSWTJfR4xcC6RPptK6_fHeEMB2lWJXZiy8Ddugof_0qskqI4AoYWnod_usBZU7aRgjbsjDLaXWZRMjHKG7OHxsG-xwk80NCSJO0je34lwJGsH3btYyoIJf-5fn3KSTD6j6Qu6kADPsjGNVmXQss8jdKwVsNnuIzYYa8Oz5HmfsMP366VPngNNsp25VTujbrxE1pXI3vXpIIkNcLVyO4cmUGkYfpgRZoRxkEPkauXKmx5IPI4YQODZGTRms_pZ0UvrgPjke6Mz0dcHQgmsoVdRQ4KGZ4vtC2RRBmpRhTD3gUVvOq8l4S2zzNGNTzJhra8H77gmhZdoTwC4_h9hmFQAkB3gXPLwPGRuZAWdJ5TggNgrB-vrcKAU_eRwm2Ap5k-0ruQn5G3AHq2qBT1ROLTvmUfM8BExmxDMJR0t6XJQ59iHEDrQG9kNKyDUyvGbIJ4p1Ph-t9BlFxeWO_y8PhImi06q-qKSdt2QsHtS8vwdXQ8XRhGLgftUc7kmrOe4jbXY-YCIyrnDtlsbJpzUVVSlIAsau31Uu-qCCO1qTfMwLlZ5us82FfA30N6OK2UkQ9ShbgmqbiNiqq6KF2nSC-e8yp__Sn_laLzQhNnmzAdrjSs07oV4nafWiRqopW7_V2J1dPpQGHjVEz7dftNbVIcmX7tg5kOt0py4_9SlKrwvf_12bcFhJurpp98q0QlVZoIo_T1F5RWKRu8f5GVzXKnYU_rLTa6WLjYTAHiYVaWkSaTbphWJo03KZ0lOqeVRtTLCaOwVzEM51fLlmH9AYRYtf6ACEoZy2UHZCDY9QgzujPV8m9DygMpUvi3DGYOeD8yiJAwshEgmFMGRX_fb0p_LljDxINPhReIKh8jl3jn4JLmQRMZlLdnss4mfLICg4Lf2ARVcbM0Oq1-5vy6PchPPd8GtfqfMntveyUV3rQLazY6gyuSynsppytg7x-SPFjaDOJc5aaBnSoZU-1avlCMTpQxgrrU7SBufBBijdaYiC79722ImZ4p63ja4-de-44xUC19ZtRAhPNfXyFJfJWX8ME7ONYnAQ6nwMk1P4cMdUVVf5KaZG8PJOVlaxeBSTzc-WwEasX4ik_GlgcWY2BVT5KgU-lH-7l28n4oSrE5FunU3u9shzCBFAb5vYkLfwWAvD3yIZlpwknYg0qdDQV4-AQPUx0ZRhu6vo3NeRMLAPG8SwReyml-cYXdbcGbnIHvrdIKguov4fcCb4Kzwc1lJp_EvgrMSkrblEJTQTs4wJQlq_vgRQSHi06tg4j1xCTuBLlPN2XGXWVQX4Oye3c0gHNLlHGwpc3MlyAuzZcStPQJh877i3ELEL2r3i9TL5aq_pbdDp9jXMT4f7jf_tkb-x4Z2oiCvpC1-z3qnPt963EE4P8Jo1ar-uMOfYa1w2uQGUtTGOK5G2COEIAwK-8kawnGWMs_a0aAKAx3kenmlAxegETkChNZr4dXizZ_WKlprW7-4WXExHv7Z1i-Q-4GtnJ5M8qwFogeBApoShp02Z7xJpdd1vEsYb5rt43o5Leyqc0HlRwefHMQOYz6yKnQH_XkT0SQMWkCi-VyXNqU5fLULdgcxlVGvFVrrer6yusst9I4HTxjTtl4ZzQWF9qvMi2bm_P8FMJ0IP6QDDGLCY2vVVRDPrOU7hTbe-95jCexKrhrc7pkynveWqbEl-3LEXFuSoMswHI-BXstUuQna16el1Y7MJcr3AT4RoULPIEs5MA28_7vQgkeV6z5Ssr2cQZUbbg4WL7og8NjLli2kI2sLkPwiV8W8HpNKV8i-QSLQEon_s9cgAN6inl9wxTdy58GS7iy-j9seTpL_HxRjIVkK_uyDJSraH9gXLc6rbyWbFp6VcISZdDFmjyLdZ7yvhGTmwltssfyDVQrJnSJ-4cmYa0oCF25fhdDbVCcRPPfe-3-OGdXoI9ZaSNSJbp_d8Adou5raTHkuntPt2D9yJbaNZdRMv4oNWo5H-lHVfiEAAFbkjolapQwAw9qszgBqe77O0bKTWiTmMfemei4QCqJuDOA-zVaMO_7dECulbthKwcCUI0JLn4ArIvuF8X0vfjcGFf4QKhE4FhNntmYsBUMt9YgvCRxT63hQIFNBDux3w7kqeV74ND1DQTQSnsCkDLdI3aiGlxcdmfaIaa13sMPARenmY.NxNGa0GX0IBj4jFijA9SnA');
CREATE TABLE kept_mail_requests (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    sequence INTEGER NOT NULL, workspace TEXT NOT NULL,
    contract TEXT NOT NULL, email TEXT NOT NULL,
    purpose TEXT NOT NULL, outcome TEXT NOT NULL,
    free_at INTEGER, requested_at INTEGER NOT NULL
) STRICT;
INSERT INTO kept_mail_requests (snapshot, sequence, workspace, contract, email, purpose, outcome, free_at, requested_at) VALUES ('snap_DQt1NL8of9aSnaJL', 1, 'main', 'mystica', 'landed@example.com', 'verify', 'sent', NULL, 1795476538449);
CREATE TABLE kept_token_lives (
    snapshot TEXT NOT NULL
        REFERENCES snapshots ON DELETE CASCADE,
    workspace TEXT NOT NULL, contract TEXT NOT NULL,
    account TEXT NOT NULL, seconds INTEGER NOT NULL
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
