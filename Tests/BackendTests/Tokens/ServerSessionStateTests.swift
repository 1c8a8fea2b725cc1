import Crypto
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Backend

/// The embedded backend's own record of a session.
@Suite(.timeLimit(.minutes(10))) struct ServerSessionStateTests {
    private func serverState(
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

    @Test func `every generation has its times of issue and use`() async throws {
        let fixture = try await BackendFixture()
        let first = try await fixture.signInVerified()
        fixture.frozen.advance(by: 60)
        let second = await fixture.refresh(first.refreshToken)
        let sessionState = try await serverState(
            fixture, access: second.accessToken, refresh: [first.refreshToken, second.refreshToken])
        #expect(sessionState.isAccessTokenRecognized)
        #expect(sessionState.session?.generation == 2)
        #expect(sessionState.issuedTokens.map(\.generation) == [1, 2])
        #expect(sessionState.issuedTokens == sessionState.requestedTokens.compactMap(\.self))
        #expect(sessionState.issuedTokens[0].usedAt == fixture.frozen.now)
        #expect(sessionState.issuedTokens[0].issuedAt == fixture.frozen.now.addingTimeInterval(-60))
        #expect(sessionState.issuedTokens[1].usedAt == nil)
    }

    @Test func `a reused token has the time of reuse, and its session the revocation`() async throws
    {
        let fixture = try await BackendFixture()
        let first = try await fixture.signInVerified()
        let second = await fixture.refresh(first.refreshToken)
        fixture.frozen.advance(by: 5)
        _ = await fixture.refresh(first.refreshToken)
        let sessionState = try await serverState(fixture, access: second.accessToken)
        #expect(sessionState.issuedTokens.map(\.reusedAt) == [fixture.frozen.now, nil])
        #expect(sessionState.session?.revocationReason == EmbeddedBackend.refreshTokenReusedReason)
        #expect(sessionState.session?.revokedAt?.date == fixture.frozen.now)
    }

    @Test func `reading the state changes nothing`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        let before = try await serverState(
            fixture, access: reply.accessToken, refresh: [reply.refreshToken])
        let after = try await serverState(
            fixture, access: reply.accessToken, refresh: [reply.refreshToken])
        #expect(before == after)
        #expect(await fixture.refresh(reply.refreshToken).status == 200)
    }

    @Test func `a session is found by the claims of a token that is no longer stored`() async throws
    {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        let sessionState = try await serverState(fixture, claims: try claims(reply.accessToken))
        #expect(sessionState.session != nil)
        #expect(sessionState.account?.email == BackendFixture.email)
        #expect(sessionState.requestedTokens.isEmpty)
    }

    @Test func `a forged access token finds neither session nor account`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        let forged = reply.accessToken.dropLast(8) + "AAAAAAAA"
        let sessionState = try await serverState(
            fixture, access: String(forged), claims: try claims(reply.accessToken))
        #expect(!sessionState.isAccessTokenRecognized)
        #expect(sessionState.session == nil && sessionState.account == nil)
    }

    @Test func `a session is unknown in another workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        let reply = try await fixture.signInVerified()
        let sessionState = try await serverState(
            fixture, access: reply.accessToken, refresh: [reply.refreshToken], workspace: "other")
        #expect(sessionState.session == nil && sessionState.requestedTokens == [nil])
    }

    @Test func `an account has the times of its verification, disabling and lock`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        let now = Timestamp(fixture.frozen.now)
        try await fixture.database.write { connection in
            try connection.run(
                "UPDATE accounts SET disabled_at = ?, locked_until = ?",
                [now.sqlValue, (now + .seconds(60)).sqlValue])
        }
        let account = try await serverState(fixture, access: reply.accessToken).account
        #expect(account?.disabledAt?.date == fixture.frozen.now)
        #expect(account?.lockedUntil?.date == fixture.frozen.now.addingTimeInterval(60))
        #expect(account?.emailVerifiedAt != nil)
    }

    @Test func `a deleted account has neither account nor session in the state`() async throws {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signInVerified()
        try await fixture.database.write { connection in try connection.run("DELETE FROM accounts")
        }
        let sessionState = try await serverState(fixture, access: reply.accessToken)
        #expect(sessionState.isAccessTokenRecognized)
        #expect(sessionState.session == nil && sessionState.account == nil)
    }

    @Test func `verification returns the contract whose key signed the token`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signInVerified().accessToken
        let genuine = fixture.backend.verifySignature(token)
        #expect(genuine.contract == "mystica" && genuine.verdict.status == .verified)
        let tampered = fixture.backend.verifySignature(token.dropLast(6) + "AAAAAA")
        #expect(tampered.verdict.status == .invalid)
        let foreign = fixture.backend.verifySignature(
            "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJlc2lnbmF0dXJl")
        #expect(foreign.contract == nil)
        #expect(fixture.backend.verifySignature("opaque").verdict.status == .opaque)
    }
}
