import Support
import Testing
import Web

@testable import Backend

/// Codes that verify, once the address is verified.
@Suite(.timeLimit(.minutes(10))) struct ClarityUsedCodeTests {
    private static func inspect(_ code: String, on fixture: BackendFixture) async -> String? {
        await fixture.google("resetPassword", ["oobCode": .string(code)]).message
    }

    private static func apply(_ code: String, on fixture: BackendFixture) async -> Reply {
        await fixture.google("update", ["oobCode": .string(code)])
    }

    @Test func `a used code does not inspect as good`() async throws {
        let fixture = try await BackendFixture()
        let code = try await fixture.verificationCode(await fixture.person().idToken)
        #expect(await Self.inspect(code, on: fixture) == nil)
        #expect(await Self.apply(code, on: fixture).status == 200)
        #expect(await Self.inspect(code, on: fixture) == "INVALID_OOB_CODE")
    }

    @Test func `a replaced code does not inspect as good`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.person().idToken
        let older = try await fixture.verificationCode(token)
        let newer = try await fixture.verificationCode(token)
        _ = await Self.apply(newer, on: fixture)
        #expect(await Self.inspect(older, on: fixture) == "INVALID_OOB_CODE")
    }

    @Test func `an expired code does not inspect as good`() async throws {
        let fixture = try await BackendFixture()
        let code = try await fixture.verificationCode(await fixture.person().idToken)
        // Verified in another way.
        _ = await fixture.google(
            "resetPassword",
            [
                "oobCode": .string(try await fixture.resetCode()),
                "newPassword": .string(BackendFixture.newPassword),
            ])
        fixture.frozen.advance(by: 86_400)
        #expect(await Self.inspect(code, on: fixture) == "EXPIRED_OOB_CODE")
    }

    @Test func `a fresh code is used up though nothing is left to verify`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.person().idToken
        _ = await Self.apply(try await fixture.verificationCode(token), on: fixture)
        let code = try await fixture.verificationCode(token)
        #expect(await Self.inspect(code, on: fixture) == nil)
        #expect(await Self.apply(code, on: fixture).status == 200)
        #expect(await Self.apply(code, on: fixture).message == "INVALID_OOB_CODE")
    }

    @Test func `a page says that nothing is left to verify`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.person().idToken
        _ = await Self.apply(try await fixture.verificationCode(token), on: fixture)
        let code = try await fixture.verificationCode(token)
        let link = try await fixture.link(to: BackendFixture.email)
        #expect(await fixture.follow(link).heading == "Already verified")
        #expect(await Self.inspect(code, on: fixture) == "INVALID_OOB_CODE")
        #expect(await fixture.follow(link).heading == "Already verified")
    }
}
