import Support
import Testing
import Web

@testable import Backend

/// Names and pictures, which end in ID tokens.
@Suite(.timeLimit(.minutes(10))) struct ClaritySizeTests {
    /// The longest address there is, of letters that a token escapes.
    private static let longAddress = String(repeating: "\\", count: 242) + "@example.com"

    private static func update(
        _ token: String, _ members: [JSON.Member], on fixture: BackendFixture
    )
        async -> Reply
    { await fixture.google("update", .object([.init("idToken", .string(token))] + members)) }

    private static func text(_ letter: String, _ count: Int) -> JSON {
        .string(String(repeating: letter, count: count))
    }

    @Test func `the largest token there can be is read again`() async throws {
        let fixture = try await BackendFixture()
        let new = await fixture.google(
            "signUp",
            [
                "email": .string(Self.longAddress), "password": .string(BackendFixture.password),
                "displayName": Self.text("\"", 128),
            ])
        let changed = await Self.update(
            new.idToken,
            [
                .init("photoUrl", Self.text("p", 2_048)),
                .init("password", .string(BackendFixture.newPassword)),
            ], on: fixture)
        #expect(changed.status == 200)
        let token = changed.idToken
        // A header block of 8 KiB holds it, and the rest of a request.
        #expect(token.utf8.count > 4_096)
        #expect(token.utf8.count <= 7_168)
        #expect(await fixture.lookup(token).status == 200)
        #expect(await fixture.send(ClarityCase.me(token)).status == 200)
        #expect(
            await fixture.google(
                "sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(token)]
            ).status == 200)
        let deleted = await fixture.google("delete", ["idToken": .string(token)])
        #expect(deleted.status == 200)
    }

    @Test(arguments: [
        ("displayName", "x", 257, "Display name too long."),
        // As many bytes as letters are not: a token escapes them.
        ("displayName", "\"", 129, "Display name too long."),
        ("photoUrl", "x", 2_049, "Photo URL too long."),
        ("photoURL", "\\", 1_025, "Photo URL too long."),
    ]) func `what does not fit a token is refused`(
        _ name: String, _ letter: String, _ count: Int, _ words: String
    ) async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.person().idToken
        let reply = await Self.update(token, [.init(name, Self.text(letter, count))], on: fixture)
        #expect(reply.message == "INVALID_PROFILE_ATTRIBUTE : \(words)")
        #expect(await fixture.lookup(token).status == 200)
    }

    @Test func `nobody signs up with a name that does not fit a token`() async throws {
        let fixture = try await BackendFixture()
        let new = await fixture.google(
            "signUp",
            [
                "email": .string(BackendFixture.email),
                "password": .string(BackendFixture.password),
                "displayName": Self.text("x", 257),
            ])
        #expect(new.message == "INVALID_PROFILE_ATTRIBUTE : Display name too long.")
        #expect(await fixture.back().status == 400)
    }

    @Test(arguments: [("x", 127, 201), ("x", 128, 422), ("\"", 64, 422)])
    func `first and last name fit a token together`(_ letter: String, _ count: Int, _ status: Int)
        async throws
    {
        let fixture = try await BackendFixture()
        let token = await fixture.person().idToken
        let reply = await fixture.send(
            .own(
                "/register",
                JSON.object([
                    .init("first_name", Self.text(letter, count)),
                    .init("last_name", Self.text(letter, count)), .init("terms_accepted", true),
                    .init("privacy_policy_accepted", true),
                ]).description, bearer: token))
        #expect(reply.status == status)
        #expect(await fixture.back().status == 200)
        #expect(await fixture.lookup(await fixture.back().idToken).status == 200)
    }

    @Test func `Cognito's display name fits a token`() async throws {
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
