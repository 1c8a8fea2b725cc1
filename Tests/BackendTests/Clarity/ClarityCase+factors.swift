import Support
import Web

/// Second factors, and the emulator's helpers.
extension ClarityCase {
    private static func factor(
        _ name: String, _ method: String,
        _ json: @escaping @Sendable (BackendFixture) async throws -> JSON
    ) -> ContractCase {
        testCase("mfa/" + name) { fixture in .factor(method, try await json(fixture)) }
    }

    static let factors: [ContractCase] = [
        factor("enroll-start", "mfaEnrollment:start") { fixture in
            [
                "idToken": .string(await fixture.verifiedToken()),
                "phoneEnrollmentInfo": ["phoneNumber": "+15555550199"],
            ]
        },
        factor("enroll-start-totp", "mfaEnrollment:start") { fixture in
            ["idToken": .string(await fixture.verifiedToken()), "totpEnrollmentInfo": [:]]
        }, factor("enroll-start-no-token", "mfaEnrollment:start") { _ in [:] },
        factor("enroll-start-no-info", "mfaEnrollment:start") { fixture in
            ["idToken": .string(await fixture.verifiedToken())]
        },
        factor("enroll-start-bad-phone", "mfaEnrollment:start") { fixture in
            [
                "idToken": .string(await fixture.verifiedToken()),
                "phoneEnrollmentInfo": ["phoneNumber": "5"],
            ]
        },
        factor("enroll-start-unverified", "mfaEnrollment:start") { fixture in
            [
                "idToken": .string(await fixture.signUpWithFirebase().idToken),
                "phoneEnrollmentInfo": ["phoneNumber": "+15555550199"],
            ]
        },
        factor("enroll-start-anonymous", "mfaEnrollment:start") { fixture in
            [
                "idToken": .string(await fixture.signUpAnonymously().idToken),
                "phoneEnrollmentInfo": ["phoneNumber": "+15555550199"],
            ]
        },
        factor("enroll-start-turned-off", "mfaEnrollment:start") { fixture in
            try await fixture.setSwitch("secondFactors", isOn: false)
            return [:]
        },
        factor("enroll", "mfaEnrollment:finalize") { fixture in
            let token = await fixture.verifiedToken()
            _ = await fixture.send(
                .factor(
                    "mfaEnrollment:start",
                    [
                        "idToken": .string(token),
                        "phoneEnrollmentInfo": ["phoneNumber": "+15555550199"],
                    ]))
            let (sessionInfo, code) = await fixture.textMessage()
            return BackendFixture.finish(token, sessionInfo, code)
        },
        factor("enroll-unknown-session", "mfaEnrollment:finalize") { fixture in
            BackendFixture.finish(await fixture.verifiedToken(), "x", "1")
        },
        factor("enroll-no-code", "mfaEnrollment:finalize") { fixture in
            BackendFixture.finish(await fixture.verifiedToken(), "x", "")
        },
        factor("enroll-no-session", "mfaEnrollment:finalize") { fixture in
            BackendFixture.finish(await fixture.verifiedToken(), "", "1")
        },
        testCase("mfa/sign-in-pending") { fixture in
            await fixture.enrollPhone()
            return .google("signInWithPassword", credentials)
        },
        testCase("mfa/lookup") { fixture in
            await fixture.enrollPhone()
            return .admin(":lookup", #"{"localId":["ada"]}"#)
        },
        factor("sign-in-start", "mfaSignIn:start") { fixture in
            let id = await fixture.enrollPhone()
            return [
                "mfaPendingCredential": .string(await fixture.pendingCredential()),
                "mfaEnrollmentId": .string(id), "phoneSignInInfo": [:],
            ]
        }, factor("sign-in-start-nothing", "mfaSignIn:start") { _ in [:] },
        factor("sign-in-start-no-id", "mfaSignIn:start") { _ in ["mfaPendingCredential": "x"] },
        factor("sign-in-start-unknown", "mfaSignIn:start") { fixture in
            await fixture.enrollPhone()
            return [
                "mfaPendingCredential": .string(await fixture.pendingCredential()),
                "mfaEnrollmentId": "x",
            ]
        },
        factor("sign-in-start-invalid", "mfaSignIn:start") { _ in
            ["mfaPendingCredential": "x", "mfaEnrollmentId": "x"]
        }, factor("sign-in", "mfaSignIn:finalize") { await $0.startFactorSignIn() },
        factor("sign-in-again", "mfaSignIn:finalize") { fixture in
            let message = await fixture.startFactorSignIn()
            _ = await fixture.send(.factor("mfaSignIn:finalize", message))
            return message
        }, factor("sign-in-no-credential", "mfaSignIn:finalize") { _ in [:] },
        factor("sign-in-no-info", "mfaSignIn:finalize") { _ in ["mfaPendingCredential": "x"] },
        factor("withdraw", "mfaEnrollment:withdraw") { fixture in
            let message = await fixture.startFactorSignIn()
            let token = await fixture.send(.factor("mfaSignIn:finalize", message)).idToken
            let users = await fixture.lookup(token).json["users"]
            return [
                "idToken": .string(token),
                "mfaEnrollmentId": users?[0]?["mfaInfo"]?[0]?["mfaEnrollmentId"] ?? .null,
            ]
        },
        factor("withdraw-unknown", "mfaEnrollment:withdraw") { fixture in
            ["idToken": .string(await fixture.verifiedToken()), "mfaEnrollmentId": "x"]
        },
    ]

    private static func action(_ name: String, _ query: String) -> ContractCase {
        testCase("emulator/action-" + name) { _ in
            Request(method: .get, target: "/emulator/action" + query)
        }
    }

    /// A link followed by a client that shows no pages.
    private static func followed(
        _ name: String, adding query: String = "",
        _ link: @escaping @Sendable (BackendFixture) async throws -> String
    ) -> ContractCase {
        testCase("emulator/action-" + name) { fixture in
            let link = try await link(fixture)
            return Request(
                method: .get, target: link.dropFirst(BackendFixture.baseURL.count) + query)
        }
    }

    static let emulator: [ContractCase] = [
        testCase("emulator/ready") { _ in Request(method: .get, target: "/") },
        testCase("emulator/oob-codes") { fixture in
            await fixture.signUpWithFirebase()
            _ = try await fixture.resetCode()
            return .emulator("oobCodes")
        },
        testCase("emulator/oob-codes-change") { fixture in
            _ = try await fixture.changeLink()
            return .emulator("oobCodes")
        },
        testCase("emulator/verification-codes") { fixture in
            _ = await fixture.requestCode()
            return .emulator("verificationCodes")
        }, testCase("emulator/config") { _ in .emulator("config") },
        testCase("emulator/codes-for-a-local-page") { _ in
            var request = Request.emulator("oobCodes")
            request.headers["Origin"] = "http://localhost:5173"
            return request
        },
        testCase("emulator/codes-for-another-page") { _ in
            var request = Request.emulator("oobCodes")
            request.headers["Origin"] = "https://example.com"
            return request
        },
        testCase("emulator/administrator-of-another-page") { _ in
            Request(
                method: .options, target: "/identitytoolkit.googleapis.com/v1/accounts:lookup",
                headers: [
                    "Origin": "https://example.com", "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "authorization,content-type",
                ])
        },
        testCase("emulator/config-changed") { _ in
            .emulator(
                "config", .patch,
                #"{"signIn":{"allowDuplicateEmails":true},"#
                    + #""emailPrivacyConfig":{"enableImprovedEmailPrivacy":false}}"#)
        }, testCase("emulator/clear") { _ in .emulator("accounts", .delete) },
        testCase("emulator/projects") { _ in .toolkit("/v1/projects?key=k") },
        testCase("emulator/recaptcha") { _ in .toolkit("/v1/recaptchaParams?key=k") },
        testCase("emulator/passkeys") { _ in .factor("passkeySignIn:start", [:]) },
        testCase("emulator/at-the-root") { _ in
            Request(method: .options, target: "/", headers: ["Origin": "http://localhost:5173"])
        },
        testCase("emulator/password-policy") { _ in .toolkit("/v2/passwordPolicy?key=k") },
        testCase("emulator/recaptcha-config") { _ in .toolkit("/v2/recaptchaConfig?key=k") },
        testCase("emulator/project-config") { _ in
            .toolkit("/v2/projects/clarity-pulse/config", bearer: "owner")
        }, action("no-key", "?mode=verifyEmail&oobCode=x"),
        action("no-code", "?mode=verifyEmail&apiKey=k"),
        action("no-mode", "?oobCode=x&apiKey=k"),
        action("unknown", "?mode=verifyEmail&oobCode=x&apiKey=k"),
        action("recover-unknown", "?mode=recoverEmail&oobCode=x&apiKey=k"),
        action("sign-in-nowhere", "?mode=signIn&oobCode=x&apiKey=k"),
        action(
            "sign-in",
            "?mode=signIn&oobCode=x&apiKey=k&continueUrl=http%3A%2F%2Flocalhost%2F%3Fa%3D1"),
        followed("verify") { fixture in
            _ = try await fixture.verificationCode(await fixture.signUpWithFirebase().idToken)
            return try await fixture.link(to: BackendFixture.email)
        },
        followed("reset-no-password") { fixture in
            await fixture.signUpWithFirebase()
            _ = try await fixture.resetCode()
            return try await fixture.link(to: BackendFixture.email, purpose: "reset")
        },
        followed("reset", adding: "&newPassword=another%20horse") { fixture in
            await fixture.signUpWithFirebase()
            _ = try await fixture.resetCode()
            return try await fixture.link(to: BackendFixture.email, purpose: "reset")
        }, followed("change") { try await $0.changeLink() },
        followed("recover") { fixture in
            try await fixture.setSwitch("emailPrivacy", isOn: true)
            _ = await fixture.follow(try await fixture.changeLink())
            return try await fixture.link(to: BackendFixture.email, purpose: "email recovery")
        }, testCase("action/change") { .page(try await $0.changeLink()) },
        testCase("action/change-again") { fixture in
            let link = try await fixture.changeLink()
            _ = await fixture.follow(link)
            return .page(link)
        },
        testCase("action/change-taken") { fixture in
            let link = try await fixture.changeLink()
            await fixture.signUpWithFirebase("eve@example.com")
            return .page(link)
        },
        testCase("action/recover") { fixture in
            try await fixture.setSwitch("emailPrivacy", isOn: true)
            _ = await fixture.follow(try await fixture.changeLink())
            return .page(
                try await fixture.link(to: BackendFixture.email, purpose: "email recovery"))
        },
    ]
}
