import Crypto
import SQLite
import Support
import Testing
import Web

@testable import Backend

/// What is over for a day is forgotten, and nobody can tell.
@Suite(.timeLimit(.minutes(10))) struct PruningTests {
    private func count(_ table: StaticSQL, _ fixture: BackendFixture) async throws -> Int64 {
        try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM \(table)") ?? 0
        }
    }

    /// Sign-ins and their ends, many times.
    private func crowd(_ fixture: BackendFixture, _ count: Int = 600) async throws {
        let now = Timestamp(fixture.frozen.now)
        let world = fixture.frozen.world
        try await fixture.database.write { connection in
            let id = try connection.text("SELECT id FROM accounts LIMIT 1")
            let realm = Realm(workspace: "main", contract: "socoto")
            guard let id, let account = try connection.account(id, in: realm) else { return }
            for _ in 0..<count {
                let session = BackendSession(
                    id: RandomTokens.uuid(world), accountID: account.id, realm: realm,
                    generation: 1,
                    createdAt: now)
                try connection.add(session)
                try connection.revoke(session: session.id, reason: .signedOut, at: now)
                let challenge = Challenge(
                    digest: Digest.sha256(session.id), accountID: account.id, realm: realm,
                    purpose: .reset, email: account.email ?? "", mailID: nil, createdAt: now,
                    expiresAt: now + .seconds(3_600))
                try connection.add(challenge)
                try connection.add(
                    PKCEFlow(
                        linkDigest: challenge.digest, accountID: account.id, codeChallenge: "c",
                        codeChallengeMethod: "plain"
                    ))
            }
        }
    }

    @Test func `ended sessions and links go a day later`() async throws {
        let fixture = try await BackendFixture()
        let client = SocotoClient(house: fixture)
        try await client.person()
        try await crowd(fixture)
        #expect(try await count("sessions", fixture) == 601)
        #expect(try await count("flows", fixture) == 600)
        fixture.frozen.advance(by: 2 * 86_400)
        try await crowd(fixture)
        // The newest day's, the one that lasts, and what the next prune of
        // so many inserts takes.
        #expect(try await count("sessions", fixture) < 1_000)
        #expect(try await count("challenges", fixture) < 1_000)
        #expect(try await count("flows", fixture) < 1_000)
        #expect(try await count("flows", fixture) <= count("challenges", fixture))
    }

    @Test func `clients hear of them what they heard before`() async throws {
        let fixture = try await BackendFixture()
        let client = SocotoClient(house: fixture)
        try await client.person()
        let ended = await client.signIn()
        let lasting = await client.signIn()
        await client.send(.post, "/auth/v1/logout?scope=local", bearer: ended.accessToken)
        let before = await client.refresh(ended.refreshToken)
        #expect(before.json["code"] == "refresh_token_not_found")
        fixture.frozen.advance(by: 2 * 86_400)
        try await crowd(fixture)
        try await crowd(fixture)
        let after = await client.refresh(ended.refreshToken)
        #expect(after.text == before.text)
        #expect(await client.refresh(lasting.refreshToken).status == 200)
        let left = try await fixture.database.read { connection in
            try connection.integer(
                "SELECT count(*) FROM refresh_tokens WHERE digest = ?",
                [.text(Digest.sha256(ended.refreshToken))])
        }
        #expect(left == 0)
    }

    @Test func `that somebody was mailed to verify is remembered`() async throws {
        let fixture = try await BackendFixture()
        let client = SocotoClient(house: fixture)
        try await client.person()
        fixture.frozen.advance(by: 30 * 86_400)
        try await crowd(fixture)
        try await crowd(fixture)
        let isKnown = try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM challenges WHERE purpose = 'verify'")
        }
        #expect(isKnown == 1)
    }
}
