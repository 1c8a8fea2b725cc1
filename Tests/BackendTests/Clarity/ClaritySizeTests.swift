import Support
import Testing
import Web

@testable import Backend

/// Size limits of the profile attributes that ID tokens contain.
@Suite(.timeLimit(.minutes(10))) struct ClaritySizeTests {
    /// An address of the maximum length, of characters that JSON escapes.
    private static let longAddress = String(repeating: "\\", count: 242) + "@example.com"

    private static func update(
        _ token: String, _ members: [JSON.Member], on fixture: BackendFixture
    )
        async -> Reply
    { await fixture.google("update", .object([.init("idToken", .string(token))] + members)) }

    private static func text(_ character: String, _ count: Int) -> JSON {
        .string(String(repeating: character, count: count))
    }

    @Test func `the largest possible ID token is accepted`() async throws {
        let fixture = try await BackendFixture()
        let signUp = await fixture.google(
            "signUp",
            [
                "email": .string(Self.longAddress), "password": .string(BackendFixture.password),
                "displayName": Self.text("\"", 128),
            ])
        let changed = await Self.update(
            signUp.idToken,
            [
                .init("photoUrl", Self.text("p", 2_048)),
                .init("password", .string(BackendFixture.newPassword)),
            ], on: fixture)
        #expect(changed.status == 200)
        let token = changed.idToken
        // It fits a header block of 8 KiB with the rest of a request.
        #expect(token.utf8.count > 4_096)
        #expect(token.utf8.count <= 7_168)
        #expect(await fixture.lookup(token).status == 200)
        #expect(await fixture.send(ClarityCase.meRequest(token)).status == 200)
        #expect(
            await fixture.google(
                "sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(token)]
            ).status == 200)
        let deleted = await fixture.google("delete", ["idToken": .string(token)])
        #expect(deleted.status == 200)
    }

    @Test(arguments: [
        ("displayName", "x", 257, "Display name too long."),
        // The limit counts bytes of the token, which escapes these.
        ("displayName", "\"", 129, "Display name too long."),
        ("photoUrl", "x", 2_049, "Photo URL too long."),
        ("photoURL", "\\", 1_025, "Photo URL too long."),
    ]) func `an update rejects an attribute too long for a token`(
        _ name: String, _ character: String, _ count: Int, _ message: String
    ) async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.signUpWithFirebase().idToken
        let reply = await Self.update(
            token, [.init(name, Self.text(character, count))], on: fixture)
        #expect(reply.message == "INVALID_PROFILE_ATTRIBUTE : \(message)")
        #expect(await fixture.lookup(token).status == 200)
    }

    @Test func `a sign-up rejects a name too long for a token`() async throws {
        let fixture = try await BackendFixture()
        let signUp = await fixture.google(
            "signUp",
            [
                "email": .string(BackendFixture.email),
                "password": .string(BackendFixture.password),
                "displayName": Self.text("x", 257),
            ])
        #expect(signUp.message == "INVALID_PROFILE_ATTRIBUTE : Display name too long.")
        #expect(await fixture.signInWithFirebase().status == 400)
    }

    @Test(arguments: [("x", 127, 201), ("x", 128, 422), ("\"", 64, 422)])
    func `a registration rejects names that are together too long for a token`(
        _ character: String, _ count: Int, _ status: Int
    )
        async throws
    {
        let fixture = try await BackendFixture()
        let token = await fixture.signUpWithFirebase().idToken
        let reply = await fixture.send(
            .own(
                "/register",
                JSON.object([
                    .init("first_name", Self.text(character, count)),
                    .init("last_name", Self.text(character, count)), .init("terms_accepted", true),
                    .init("privacy_policy_accepted", true),
                ]).description, bearer: token))
        #expect(reply.status == status)
        #expect(await fixture.signInWithFirebase().status == 200)
        #expect(await fixture.lookup(await fixture.signInWithFirebase().idToken).status == 200)
    }

    @Test func `the Cognito backend rejects a display name too long for a token`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.send(
            .cognito(
                "/register",
                JSON.object([
                    .init("email", .string(BackendFixture.email)),
                    .init("password", .string(BackendFixture.password)),
                    .init("display_name", Self.text("x", 257)),
                ]).description))
        #expect(reply.status == 422)
    }
}
