import Support
import Testing
import Web

@testable import Backend

/// The Cognito backend's codes beside Firebase's links, for one person.
@Suite(.timeLimit(.minutes(10))) struct ClarityCodeTests {
    private static let asked = #"{"email":"ada@example.com"}"#

    private static func guess(_ path: String, on fixture: BackendFixture) async {
        for _ in 0..<6 {
            _ = await fixture.send(
                .cognito(
                    path,
                    #"{"email":"ada@example.com","code":"000000","new_password":"a new password"}"#)
            )
        }
    }

    private static func reset(by code: String, on fixture: BackendFixture) async -> Reply {
        await fixture.google(
            "resetPassword",
            ["oobCode": .string(code), "newPassword": .string(BackendFixture.newPassword)])
    }

    private static func reset(byDigits code: String, on fixture: BackendFixture) async -> Reply {
        await fixture.send(
            .cognito(
                "/reset-password",
                #"{"email":"ada@example.com","code":"\#(code)","new_password":"a new password"}"#))
    }

    @Test func `guesses at a code leave a mailed reset link alone`() async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        let code = try await fixture.resetCode()
        await Self.guess("/reset-password", on: fixture)
        #expect(await Self.reset(by: code, on: fixture).status == 200)
    }

    @Test func `guesses at a code leave a mailed verification link alone`() async throws {
        let fixture = try await BackendFixture()
        let code = try await fixture.verificationCode(await fixture.person().idToken)
        await Self.guess("/confirm-email", on: fixture)
        let reply = await fixture.google("update", ["oobCode": .string(code)])
        #expect(reply.status == 200)
    }

    @Test func `a code sent later leaves a mailed link alone`() async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        let code = try await fixture.resetCode()
        _ = await fixture.send(.cognito("/forgot-password", Self.asked))
        #expect(await Self.reset(by: code, on: fixture).status == 200)
    }

    @Test func `a link sent later leaves a mailed code alone`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.confirmed()
        let code = try await fixture.forgotten()
        _ = await fixture.google(
            "sendOobCode",
            ["requestType": "PASSWORD_RESET", "email": .string(BackendFixture.email)])
        #expect(await Self.reset(byDigits: code, on: fixture).status == 200)
    }

    @Test func `a password set by a code ends a link that would set one`() async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        let link = try await fixture.resetCode()
        let code = try await fixture.forgotten()
        #expect(await Self.reset(byDigits: code, on: fixture).status == 200)
        #expect(await Self.reset(by: link, on: fixture).message == "INVALID_OOB_CODE")
    }

    @Test func `a password set by a link ends a code that would set one`() async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        let code = try await fixture.forgotten()
        let link = try await fixture.resetCode()
        #expect(await Self.reset(by: link, on: fixture).status == 200)
        #expect(await Self.reset(byDigits: code, on: fixture).status == 400)
    }

    @Test func `too many wrong codes end the right one and change nothing`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.confirmed()
        let code = try await fixture.forgotten()
        await Self.guess("/reset-password", on: fixture)
        let late = await Self.reset(byDigits: code, on: fixture)
        #expect(late.status == 400)
        #expect(late.json["detail"]?["type"] == "invalid_code")
        #expect(await fixture.back().status == 200)
    }
}
