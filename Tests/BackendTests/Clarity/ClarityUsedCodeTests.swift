import Support
import Testing
import Web

@testable import Backend

/// Codes that verify, once the address is verified.
@Suite(.timeLimit(.minutes(10))) struct ClarityUsedCodeTests {
    private static func inspect(_ code: String, on house: BackendHouse) async -> String? {
        await house.google("resetPassword", ["oobCode": .string(code)]).message
    }

    private static func apply(_ code: String, on house: BackendHouse) async -> Reply {
        await house.google("update", ["oobCode": .string(code)])
    }

    @Test func `a used code does not inspect as good`() async throws {
        let house = try await BackendHouse()
        let code = try await house.verificationCode(await house.person().idToken)
        #expect(await Self.inspect(code, on: house) == nil)
        #expect(await Self.apply(code, on: house).status == 200)
        #expect(await Self.inspect(code, on: house) == "INVALID_OOB_CODE")
    }

    @Test func `a replaced code does not inspect as good`() async throws {
        let house = try await BackendHouse()
        let token = await house.person().idToken
        let older = try await house.verificationCode(token)
        let newer = try await house.verificationCode(token)
        _ = await Self.apply(newer, on: house)
        #expect(await Self.inspect(older, on: house) == "INVALID_OOB_CODE")
    }

    @Test func `an expired code does not inspect as good`() async throws {
        let house = try await BackendHouse()
        let code = try await house.verificationCode(await house.person().idToken)
        // Verified in another way.
        _ = await house.google(
            "resetPassword",
            [
                "oobCode": .string(try await house.resetCode()),
                "newPassword": .string(BackendHouse.newPassword),
            ])
        house.frozen.advance(by: 86_400)
        #expect(await Self.inspect(code, on: house) == "EXPIRED_OOB_CODE")
    }

    @Test func `a fresh code is used up though nothing is left to verify`() async throws {
        let house = try await BackendHouse()
        let token = await house.person().idToken
        _ = await Self.apply(try await house.verificationCode(token), on: house)
        let code = try await house.verificationCode(token)
        #expect(await Self.inspect(code, on: house) == nil)
        #expect(await Self.apply(code, on: house).status == 200)
        #expect(await Self.apply(code, on: house).message == "INVALID_OOB_CODE")
    }

    @Test func `a page says that nothing is left to verify`() async throws {
        let house = try await BackendHouse()
        let token = await house.person().idToken
        _ = await Self.apply(try await house.verificationCode(token), on: house)
        let code = try await house.verificationCode(token)
        let link = try await house.link(to: BackendHouse.email)
        #expect(await house.follow(link).heading == "Already verified")
        #expect(await Self.inspect(code, on: house) == "INVALID_OOB_CODE")
        #expect(await house.follow(link).heading == "Already verified")
    }
}
