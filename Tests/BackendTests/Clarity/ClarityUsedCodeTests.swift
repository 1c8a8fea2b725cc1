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

    @Test func `a second mail of a kind does not replace the first code`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.signUpWithFirebase().idToken
        let older = try await fixture.verificationCode(token)
        fixture.frozen.advance(by: 1)
        let newer = try await fixture.verificationCode(token)
        let listed = await fixture.emulator("oobCodes").json["oobCodes"]?.elements
        #expect(listed?.map { $0["oobCode"]?.string } == [older, newer])
        _ = await Self.apply(newer, on: fixture)
        #expect(await Self.apply(older, on: fixture).status == 200)
    }

    @Test func `a reset removes the identities at providers`() async throws {
        let fixture = try await BackendFixture()
        await fixture.createAda()
        await fixture.admin(
            ":update",
            [
                "localId": "ada",
                "linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1"],
            ])
        _ = await fixture.google(
            "resetPassword",
            [
                "oobCode": .string(try await fixture.resetCode()),
                "newPassword": .string(BackendFixture.newPassword),
            ])
        let user = await fixture.admin(":lookup", ["localId": ["ada"]]).json["users"]?[0]
        let providers = user?["providerUserInfo"]?.elements.map { $0["providerId"]?.string }
        #expect(providers == ["password", "phone"])
    }

    @Test func `only where emails are private can a mailed change be reverted`() async throws {
        for isPrivate in [false, true] {
            let fixture = try await BackendFixture()
            try await fixture.setSwitch("emailPrivacy", isOn: isPrivate)
            let code = BackendFixture.code(in: try await fixture.changeLink())
            #expect(await Self.apply(code, on: fixture).status == 200)
            let listed = await fixture.emulator("oobCodes").json["oobCodes"]?.elements
            #expect(
                listed?.map { $0["requestType"]?.string } == (isPrivate ? ["RECOVER_EMAIL"] : []))
        }
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
