import Support
import Testing
import Web

@testable import Backend

/// Verification codes of an address that is already verified.
@Suite(.timeLimit(.minutes(10))) struct ClarityUsedCodeTests {
    private static func inspect(_ code: String, on fixture: BackendFixture) async -> String? {
        await fixture.google("resetPassword", ["oobCode": .string(code)]).message
    }

    private static func apply(_ code: String, on fixture: BackendFixture) async -> Reply {
        await fixture.google("update", ["oobCode": .string(code)])
    }

    @Test func `inspecting a used code fails`() async throws {
        let fixture = try await BackendFixture()
        let code = try await fixture.verificationCode(await fixture.signUpWithFirebase().idToken)
        #expect(await Self.inspect(code, on: fixture) == nil)
        #expect(await Self.apply(code, on: fixture).status == 200)
        #expect(await Self.inspect(code, on: fixture) == "INVALID_OOB_CODE")
    }

    @Test func `inspecting a replaced code fails`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.signUpWithFirebase().idToken
        let older = try await fixture.verificationCode(token)
        let newer = try await fixture.verificationCode(token)
        _ = await Self.apply(newer, on: fixture)
        #expect(await Self.inspect(older, on: fixture) == "INVALID_OOB_CODE")
    }

    @Test func `inspecting an expired code fails`() async throws {
        let fixture = try await BackendFixture()
        let code = try await fixture.verificationCode(await fixture.signUpWithFirebase().idToken)
        // The reset verifies the address as well.
        _ = await fixture.google(
            "resetPassword",
            [
                "oobCode": .string(try await fixture.resetCode()),
                "newPassword": .string(BackendFixture.newPassword),
            ])
        fixture.frozen.advance(by: 86_400)
        #expect(await Self.inspect(code, on: fixture) == "EXPIRED_OOB_CODE")
    }

    @Test func `a new code is used up even if the address is verified`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.signUpWithFirebase().idToken
        _ = await Self.apply(try await fixture.verificationCode(token), on: fixture)
        let code = try await fixture.verificationCode(token)
        #expect(await Self.inspect(code, on: fixture) == nil)
        #expect(await Self.apply(code, on: fixture).status == 200)
        #expect(await Self.apply(code, on: fixture).message == "INVALID_OOB_CODE")
    }

    @Test func `a link's page reports that the address is already verified`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.signUpWithFirebase().idToken
        _ = await Self.apply(try await fixture.verificationCode(token), on: fixture)
        let code = try await fixture.verificationCode(token)
        let link = try await fixture.link(to: BackendFixture.email)
        #expect(await fixture.follow(link).heading == "Already verified")
        #expect(await Self.inspect(code, on: fixture) == "INVALID_OOB_CODE")
        #expect(await fixture.follow(link).heading == "Already verified")
    }
}
