import Support
import Testing
import Web

@testable import Backend

/// The Cognito backend's codes and Firebase's links for the same account.
@Suite(.timeLimit(.minutes(10))) struct ClarityCodeTests {
    private static let emailBody = #"{"email":"ada@example.com"}"#

    private static func sendWrongCodes(to path: String, on fixture: BackendFixture) async {
        for _ in 0..<6 {
            _ = await fixture.send(
                .cognito(
                    path,
                    #"{"email":"ada@example.com","code":"000000","new_password":"a new password"}"#)
            )
        }
    }

    private static func reset(byLink code: String, on fixture: BackendFixture) async -> Reply {
        await fixture.google(
            "resetPassword",
            ["oobCode": .string(code), "newPassword": .string(BackendFixture.newPassword)])
    }

    private static func reset(byCode code: String, on fixture: BackendFixture) async -> Reply {
        await fixture.send(
            .cognito(
                "/reset-password",
                #"{"email":"ada@example.com","code":"\#(code)","new_password":"a new password"}"#))
    }

    @Test func `wrong codes do not invalidate a mailed reset link`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        let code = try await fixture.resetCode()
        await Self.sendWrongCodes(to: "/reset-password", on: fixture)
        #expect(await Self.reset(byLink: code, on: fixture).status == 200)
    }

    @Test func `wrong codes do not invalidate a mailed verification link`() async throws {
        let fixture = try await BackendFixture()
        let code = try await fixture.verificationCode(await fixture.signUpWithFirebase().idToken)
        await Self.sendWrongCodes(to: "/confirm-email", on: fixture)
        let reply = await fixture.google("update", ["oobCode": .string(code)])
        #expect(reply.status == 200)
    }

    @Test func `a code sent later does not invalidate a mailed link`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        let code = try await fixture.resetCode()
        _ = await fixture.send(.cognito("/forgot-password", Self.emailBody))
        #expect(await Self.reset(byLink: code, on: fixture).status == 200)
    }

    @Test func `a link sent later does not invalidate a mailed code`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.signUpWithCognito()
        let code = try await fixture.cognitoResetCode()
        _ = await fixture.google(
            "sendOobCode",
            ["requestType": "PASSWORD_RESET", "email": .string(BackendFixture.email)])
        #expect(await Self.reset(byCode: code, on: fixture).status == 200)
    }

    @Test func `a reset by code invalidates a reset link`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        let link = try await fixture.resetCode()
        let code = try await fixture.cognitoResetCode()
        #expect(await Self.reset(byCode: code, on: fixture).status == 200)
        #expect(await Self.reset(byLink: link, on: fixture).message == "INVALID_OOB_CODE")
    }

    @Test func `a reset by link invalidates a reset code`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        let code = try await fixture.cognitoResetCode()
        let link = try await fixture.resetCode()
        #expect(await Self.reset(byLink: link, on: fixture).status == 200)
        #expect(await Self.reset(byCode: code, on: fixture).status == 400)
    }

    @Test func `too many wrong codes invalidate the right one and change nothing`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.signUpWithCognito()
        let code = try await fixture.cognitoResetCode()
        await Self.sendWrongCodes(to: "/reset-password", on: fixture)
        let reply = await Self.reset(byCode: code, on: fixture)
        #expect(reply.status == 400)
        #expect(reply.json["detail"]?["type"] == "invalid_code")
        #expect(await fixture.signInWithFirebase().status == 200)
    }
}
