import Crypto
import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Rows that ended a day ago are deleted, without a difference for clients.
@Suite(.timeLimit(.minutes(10))) struct PruningTests {
    private func count(_ table: StaticSQL, _ fixture: BackendFixture) async throws -> Int64 {
        try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM \(table)") ?? 0
        }
    }

    /// Adds many ended sessions, each with a challenge and a PKCE flow.
    private func addEndedSessions(_ fixture: BackendFixture, _ count: Int = 600) async throws {
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
                try connection.addPKCEFlow(
                    link: challenge.digest, account: account.id, codeChallenge: "c",
                    method: "plain")
            }
        }
    }

    @Test func `ended sessions and expired links are deleted after a day`() async throws {
        let fixture = try await BackendFixture()
        let client = SocotoClient(fixture: fixture)
        try await client.createUser()
        try await addEndedSessions(fixture)
        #expect(try await count("sessions", fixture) == 601)
        #expect(try await count("flows", fixture) == 600)
        fixture.frozen.advance(by: 2 * 86_400)
        try await addEndedSessions(fixture)
        // The newest 600, the active session, and rows left for the next pruning run.
        #expect(try await count("sessions", fixture) < 1_000)
        #expect(try await count("challenges", fixture) < 1_000)
        #expect(try await count("flows", fixture) < 1_000)
        #expect(try await count("flows", fixture) <= count("challenges", fixture))
    }

    @Test func `the response to a refresh of an ended session is the same after pruning`()
        async throws
    {
        let fixture = try await BackendFixture()
        let client = SocotoClient(fixture: fixture)
        try await client.createUser()
        let ended = await client.signIn()
        let active = await client.signIn()
        await client.send(.post, "/auth/v1/logout?scope=local", bearer: ended.accessToken)
        let before = await client.refresh(ended.refreshToken)
        #expect(before.json["code"] == "refresh_token_not_found")
        fixture.frozen.advance(by: 2 * 86_400)
        try await addEndedSessions(fixture)
        try await addEndedSessions(fixture)
        let after = await client.refresh(ended.refreshToken)
        #expect(after.text == before.text)
        #expect(await client.refresh(active.refreshToken).status == 200)
        let remaining = try await fixture.database.read { connection in
            try connection.integer(
                "SELECT count(*) FROM refresh_tokens WHERE digest = ?",
                [.text(Digest.sha256(ended.refreshToken))])
        }
        #expect(remaining == 0)
    }

    @Test func `an account's verification challenge is not pruned`() async throws {
        let fixture = try await BackendFixture()
        let client = SocotoClient(fixture: fixture)
        try await client.createUser()
        fixture.frozen.advance(by: 30 * 86_400)
        try await addEndedSessions(fixture)
        try await addEndedSessions(fixture)
        let remaining = try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM challenges WHERE purpose = 'verify'")
        }
        #expect(remaining == 1)
    }
}
