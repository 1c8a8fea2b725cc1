import Crypto
import FoundationEssentials
import Support
import Testing
import Web

@testable import Backend
@testable import BackendContracts

/// Codes and second factors under concurrency, and unsigned tokens.
@Suite(.timeLimit(.minutes(10))) struct ClarityFactorTests {
    private static func sendConcurrently(
        _ count: Int, on fixture: BackendFixture,
        _ request: @escaping @Sendable (Int) -> Request
    ) async -> [Reply] {
        await withTaskGroup(of: Reply.self) { group in
            for index in 0..<count { group.addTask { await fixture.send(request(index)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `of 100 concurrent guesses of a code five are checked`() async throws {
        let fixture = try await BackendFixture()
        let (sessionInfo, code) = await fixture.requestCode()
        let right = try #require(Int(code))
        let replies = await Self.sendConcurrently(100, on: fixture) { index in
            let guess = String((right + 1 + index) % 1_000_000)
            return .google(
                "signInWithPhoneNumber", #"{"sessionInfo":"\#(sessionInfo)","code":"\#(guess)"}"#)
        }
        let messages = replies.map { $0.message ?? "none" }
        #expect(messages.filter { $0 == "INVALID_CODE" }.count == 5)
        #expect(messages.filter { $0 == "TOO_MANY_ATTEMPTS_TRY_LATER" }.count == 95)
        let last = await fixture.google(
            "signInWithPhoneNumber",
            ["sessionInfo": .string(sessionInfo), "code": .string(code)])
        #expect(last.message == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }

    @Test func `of concurrent enrollments with one code one succeeds`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.verifiedToken()
        _ = await fixture.send(
            .factor(
                "mfaEnrollment:start",
                ["idToken": .string(token), "phoneEnrollmentInfo": ["phoneNumber": "+15555550199"]])
        )
        let (sessionInfo, code) = await fixture.textMessage()
        let replies = await Self.sendConcurrently(20, on: fixture) { _ in
            .factor("mfaEnrollment:finalize", BackendFixture.finish(token, sessionInfo, code))
        }
        #expect(replies.filter { $0.status == 200 }.count == 1)
        let users = await fixture.admin(":lookup", ["localId": ["ada"]]).json["users"]
        #expect(users?[0]?["mfaInfo"]?.elements.count == 1)
    }

    @Test func `an authenticator app's code works once`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.verifiedToken()
        let started = await fixture.send(
            .factor(
                "mfaEnrollment:start", ["idToken": .string(token), "totpEnrollmentInfo": [:]]))
        let info = try #require(started.json["totpSessionInfo"])
        let secret = try #require(Base32.decode(info["sharedSecretKey"]?.string ?? ""))
        func code() -> JSON {
            let seconds = Int64(fixture.frozen.now.timeIntervalSince1970)
            return .string(TOTP.code(of: secret, step: seconds / TOTP.period))
        }
        let enrolled = await fixture.send(
            .factor(
                "mfaEnrollment:finalize",
                [
                    "idToken": .string(token),
                    "totpVerificationInfo": [
                        "sessionInfo": info["sessionInfo"] ?? .null, "verificationCode": code(),
                    ],
                ]))
        #expect(enrolled.status == 200)
        let pending = await fixture.signInWithFirebase().json
        func finalize() async -> Reply {
            await fixture.send(
                .factor(
                    "mfaSignIn:finalize",
                    [
                        "mfaPendingCredential": pending["mfaPendingCredential"] ?? .null,
                        "mfaEnrollmentId": pending["mfaInfo"]?[0]?["mfaEnrollmentId"] ?? .null,
                        "totpVerificationInfo": ["verificationCode": code()],
                    ]))
        }
        #expect(await finalize().message == "INVALID_CODE")
        fixture.frozen.advance(by: 30)
        let signedIn = await finalize()
        let claims = try JSON(parsing: Token(decoding: signedIn.idToken).claims ?? "")
        #expect(claims["firebase"]?["sign_in_second_factor"]?.string == "totp")
    }

    @Test func `an unsigned token is issued and accepted only where the workspace asks for it`()
        async throws
    {
        let fixture = try await BackendFixture()
        try await fixture.setSwitch("unsignedTokens", isOn: true)
        let token = await fixture.signUpWithFirebase().idToken
        #expect(Token(decoding: token).algorithm == "none")
        #expect(token.hasSuffix("."))
        #expect(await fixture.lookup(token).status == 200)
        fixture.frozen.advance(by: 3_600)
        #expect(await fixture.lookup(token).message == "TOKEN_EXPIRED")
        try await fixture.setSwitch("unsignedTokens", isOn: false)
        #expect(await fixture.lookup(token).message == "INVALID_ID_TOKEN")
    }

    @Test func `workspaces may have accounts with the same chosen id`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        await fixture.createAda()
        let other = "/other/clarity/identitytoolkit.googleapis.com/v1/accounts:"
        let created = await fixture.send(
            .post(other + "signInWithCustomToken?key=k", #"{"token":"{\"uid\":\"ada\"}"}"#))
        #expect(created.json["isNewUser"]?.bool == true)
        let users = await fixture.send(
            .post(other + "lookup?key=k", #"{"idToken":"\#(created.idToken)"}"#))
        #expect(users.json["users"]?[0]?["localId"]?.string == "ada")
        #expect(users.json["users"]?[0]?["providerUserInfo"] == nil)
    }
}
