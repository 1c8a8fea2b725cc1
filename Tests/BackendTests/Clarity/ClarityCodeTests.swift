import Support
import Testing
import Web

@testable import Backend

/// The Cognito backend's codes beside Firebase's links, for one person.
@Suite(.timeLimit(.minutes(10))) struct ClarityCodeTests {
    private static let asked = #"{"email":"ada@example.com"}"#

    private static func guess(_ path: String, on house: BackendHouse) async {
        for _ in 0..<6 {
            _ = await house.send(
                .cognito(
                    path,
                    #"{"email":"ada@example.com","code":"000000","new_password":"a new password"}"#)
            )
        }
    }

    private static func reset(by code: String, on house: BackendHouse) async -> Reply {
        await house.google(
            "resetPassword",
            ["oobCode": .string(code), "newPassword": .string(BackendHouse.newPassword)])
    }

    private static func reset(byDigits code: String, on house: BackendHouse) async -> Reply {
        await house.send(
            .cognito(
                "/reset-password",
                #"{"email":"ada@example.com","code":"\#(code)","new_password":"a new password"}"#))
    }

    @Test func `guesses at a code leave a mailed reset link alone`() async throws {
        let house = try await BackendHouse()
        await house.person()
        let code = try await house.resetCode()
        await Self.guess("/reset-password", on: house)
        #expect(await Self.reset(by: code, on: house).status == 200)
    }

    @Test func `guesses at a code leave a mailed verification link alone`() async throws {
        let house = try await BackendHouse()
        let code = try await house.verificationCode(await house.person().idToken)
        await Self.guess("/confirm-email", on: house)
        let reply = await house.google("update", ["oobCode": .string(code)])
        #expect(reply.status == 200)
    }

    @Test func `a code sent later leaves a mailed link alone`() async throws {
        let house = try await BackendHouse()
        await house.person()
        let code = try await house.resetCode()
        _ = await house.send(.cognito("/forgot-password", Self.asked))
        #expect(await Self.reset(by: code, on: house).status == 200)
    }

    @Test func `a link sent later leaves a mailed code alone`() async throws {
        let house = try await BackendHouse()
        try await house.confirmed()
        let code = try await house.forgotten()
        _ = await house.google(
            "sendOobCode", ["requestType": "PASSWORD_RESET", "email": .string(BackendHouse.email)])
        #expect(await Self.reset(byDigits: code, on: house).status == 200)
    }

    @Test func `a password set by a code ends a link that would set one`() async throws {
        let house = try await BackendHouse()
        await house.person()
        let link = try await house.resetCode()
        let code = try await house.forgotten()
        #expect(await Self.reset(byDigits: code, on: house).status == 200)
        #expect(await Self.reset(by: link, on: house).message == "INVALID_OOB_CODE")
    }

    @Test func `a password set by a link ends a code that would set one`() async throws {
        let house = try await BackendHouse()
        await house.person()
        let code = try await house.forgotten()
        let link = try await house.resetCode()
        #expect(await Self.reset(by: link, on: house).status == 200)
        #expect(await Self.reset(byDigits: code, on: house).status == 400)
    }

    @Test func `too many wrong codes end the right one and change nothing`() async throws {
        let house = try await BackendHouse()
        try await house.confirmed()
        let code = try await house.forgotten()
        await Self.guess("/reset-password", on: house)
        let late = await Self.reset(byDigits: code, on: house)
        #expect(late.status == 400)
        #expect(late.json["detail"]?["type"] == "invalid_code")
        #expect(await house.back().status == 200)
    }
}
