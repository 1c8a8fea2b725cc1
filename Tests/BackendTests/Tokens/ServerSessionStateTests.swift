import Crypto
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Backend

/// What the embedded backend says of a session when it is asked directly.
@Suite(.timeLimit(.minutes(10))) struct ServerSessionStateTests {
    private func truth(
        _ fixture: BackendFixture, access: String? = nil, refresh: [String] = [],
        claims: JSON? = nil,
        workspace: String = "main"
    ) async throws -> ServerSessionState {
        try await fixture.backend.serverState(
            of: SessionCredentials(accessToken: access, refreshTokens: refresh, claims: claims),
            contract: "mystica", workspace: workspace)
    }

    private func claims(_ token: String) throws -> JSON {
        try JSON(parsing: try #require(Token(decoding: token).claims))
    }

    @Test func `every generation is told with when it was made and used`() async throws {
        let fixture = try await BackendFixture()
        let first = try await fixture.signedIn()
        fixture.frozen.advance(by: 60)
        let second = await fixture.refresh(first.refreshToken)
        let sessionState = try await truth(
            fixture, access: second.accessToken, refresh: [first.refreshToken, second.refreshToken])
        #expect(sessionState.isAccessTokenRecognized)
        #expect(sessionState.session?.generation == 2)
        #expect(sessionState.issuedTokens.map(\.generation) == [1, 2])
        #expect(sessionState.issuedTokens == sessionState.requestedTokens.compactMap(\.self))
        #expect(sessionState.issuedTokens[0].usedAt == fixture.frozen.now)
        #expect(sessionState.issuedTokens[0].issuedAt == fixture.frozen.now.addingTimeInterval(-60))
        #expect(sessionState.issuedTokens[1].usedAt == nil)
    }

    @Test func `a token that came again is told with when, and what it ended`() async throws {
        let fixture = try await BackendFixture()
        let first = try await fixture.signedIn()
        let second = await fixture.refresh(first.refreshToken)
        fixture.frozen.advance(by: 5)
        _ = await fixture.refresh(first.refreshToken)
        let sessionState = try await truth(fixture, access: second.accessToken)
        #expect(sessionState.issuedTokens.map(\.reusedAt) == [fixture.frozen.now, nil])
        #expect(sessionState.session?.revocationReason == EmbeddedBackend.refreshTokenReusedReason)
        #expect(sessionState.session?.revokedAt == fixture.frozen.now)
    }

    @Test func `asking changes nothing`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
        let before = try await truth(
            fixture, access: reply.accessToken, refresh: [reply.refreshToken])
        let after = try await truth(
            fixture, access: reply.accessToken, refresh: [reply.refreshToken])
        #expect(before == after)
        #expect(await fixture.refresh(reply.refreshToken).status == 200)
    }

    @Test func `what a device forgot is found by what its token said`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
        let sessionState = try await truth(fixture, claims: try claims(reply.accessToken))
        #expect(sessionState.session?.email == BackendFixture.email)
        #expect(sessionState.requestedTokens.isEmpty)
    }

    @Test func `a stored token that is a stranger's leads nowhere`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
        let forged = reply.accessToken.dropLast(8) + "AAAAAAAA"
        let sessionState = try await truth(
            fixture, access: String(forged), claims: try claims(reply.accessToken))
        #expect(!sessionState.isAccessTokenRecognized)
        #expect(sessionState.session == nil && sessionState.account == nil)
    }

    @Test func `another workspace knows nothing of it`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        let reply = try await fixture.signedIn()
        let sessionState = try await truth(
            fixture, access: reply.accessToken, refresh: [reply.refreshToken], workspace: "other")
        #expect(sessionState.session == nil && sessionState.requestedTokens == [nil])
    }

    @Test func `an account that is verified, disabled or locked says when`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
        let now = Timestamp(fixture.frozen.now)
        try await fixture.database.write { connection in
            try connection.run(
                "UPDATE accounts SET disabled_at = ?, locked_until = ?",
                [now.sqlValue, (now + .seconds(60)).sqlValue])
        }
        let account = try await truth(fixture, access: reply.accessToken).account
        #expect(account?.disabledAt == fixture.frozen.now)
        #expect(account?.lockedUntil == fixture.frozen.now.addingTimeInterval(60))
        #expect(account?.emailVerifiedAt != nil)
    }

    @Test func `a deleted account leaves neither person nor session`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signedIn()
        try await fixture.database.write { connection in try connection.run("DELETE FROM accounts")
        }
        let sessionState = try await truth(fixture, access: reply.accessToken)
        #expect(sessionState.isAccessTokenRecognized)
        #expect(sessionState.session == nil && sessionState.account == nil)
    }

    @Test func `of all contracts the one whose key signed says so`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signedIn().accessToken
        let ours = fixture.backend.verifySignature(token)
        #expect(ours.contract == "mystica" && ours.verdict.status == .verified)
        let changed = fixture.backend.verifySignature(token.dropLast(6) + "AAAAAA")
        #expect(changed.verdict.status == .invalid)
        let stranger = fixture.backend.verifySignature(
            "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJlc2lnbmF0dXJl")
        #expect(stranger.contract == nil)
        #expect(fixture.backend.verifySignature("opaque").verdict.status == .opaque)
    }
}
