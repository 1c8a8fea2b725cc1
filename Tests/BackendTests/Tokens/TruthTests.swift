import FoundationEssentials
import SQLite
import Secrets
import Support
import Testing
import Web

@testable import Backend

/// What the embedded backend says of a session when it is asked directly.
@Suite(.timeLimit(.minutes(10))) struct TruthTests {
    private func truth(
        _ house: BackendHouse, access: String? = nil, refresh: [String] = [], claims: JSON? = nil,
        workspace: String = "main"
    ) async throws -> Truth {
        try await house.backend.truth(
            of: Traces(accessToken: access, refreshTokens: refresh, claims: claims),
            contract: "mystica", workspace: workspace)
    }

    private func claims(_ token: String) throws -> JSON {
        try JSON(parsing: try #require(Token(decoding: token).claims))
    }

    @Test func `every generation is told with when it was made and used`() async throws {
        let house = try await BackendHouse()
        let first = try await house.signedIn()
        house.frozen.advance(by: 60)
        let second = await house.refresh(first.refreshToken)
        let truth = try await truth(
            house, access: second.accessToken, refresh: [first.refreshToken, second.refreshToken])
        #expect(truth.isOwnToken)
        #expect(truth.session?.generation == 2)
        #expect(truth.issued.map(\.generation) == [1, 2])
        #expect(truth.issued == truth.asked.compactMap(\.self))
        #expect(truth.issued[0].usedAt == house.frozen.now)
        #expect(truth.issued[0].issuedAt == house.frozen.now.addingTimeInterval(-60))
        #expect(truth.issued[1].usedAt == nil)
    }

    @Test func `a token that came again is told with when, and what it ended`() async throws {
        let house = try await BackendHouse()
        let first = try await house.signedIn()
        let second = await house.refresh(first.refreshToken)
        house.frozen.advance(by: 5)
        _ = await house.refresh(first.refreshToken)
        let truth = try await truth(house, access: second.accessToken)
        #expect(truth.issued.map(\.reusedAt) == [house.frozen.now, nil])
        #expect(truth.session?.revokedBecause == EmbeddedBackend.reuse)
        #expect(truth.session?.revokedAt == house.frozen.now)
    }

    @Test func `asking changes nothing`() async throws {
        let house = try await BackendHouse()
        let reply = try await house.signedIn()
        let before = try await truth(
            house, access: reply.accessToken, refresh: [reply.refreshToken])
        let after = try await truth(house, access: reply.accessToken, refresh: [reply.refreshToken])
        #expect(before == after)
        #expect(await house.refresh(reply.refreshToken).status == 200)
    }

    @Test func `what a device forgot is found by what its token said`() async throws {
        let house = try await BackendHouse()
        let reply = try await house.signedIn()
        let truth = try await truth(house, claims: try claims(reply.accessToken))
        #expect(truth.session?.email == BackendHouse.email)
        #expect(truth.asked.isEmpty)
    }

    @Test func `a stored token that is a stranger's leads nowhere`() async throws {
        let house = try await BackendHouse()
        let reply = try await house.signedIn()
        let forged = reply.accessToken.dropLast(8) + "AAAAAAAA"
        let truth = try await truth(
            house, access: String(forged), claims: try claims(reply.accessToken))
        #expect(!truth.isOwnToken)
        #expect(truth.session == nil && truth.account == nil)
    }

    @Test func `another workspace knows nothing of it`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "other")
        let reply = try await house.signedIn()
        let truth = try await truth(
            house, access: reply.accessToken, refresh: [reply.refreshToken], workspace: "other")
        #expect(truth.session == nil && truth.asked == [nil])
    }

    @Test func `an account that is verified, disabled or locked says when`() async throws {
        let house = try await BackendHouse()
        let reply = try await house.signedIn()
        let now = Moment(house.frozen.now)
        try await house.database.write { connection in
            try connection.run(
                "UPDATE accounts SET disabled_at = ?, locked_until = ?",
                [now.value, (now + .seconds(60)).value])
        }
        let account = try await truth(house, access: reply.accessToken).account
        #expect(account?.disabledAt == house.frozen.now)
        #expect(account?.lockedUntil == house.frozen.now.addingTimeInterval(60))
        #expect(account?.emailVerifiedAt != nil)
    }

    @Test func `a deleted account leaves neither person nor session`() async throws {
        let house = try await BackendHouse()
        let reply = try await house.signedIn()
        try await house.database.write { connection in try connection.run("DELETE FROM accounts") }
        let truth = try await truth(house, access: reply.accessToken)
        #expect(truth.isOwnToken)
        #expect(truth.session == nil && truth.account == nil)
    }

    @Test func `of all contracts the one whose key signed says so`() async throws {
        let house = try await BackendHouse()
        let token = try await house.signedIn().accessToken
        let ours = house.backend.judge(token)
        #expect(ours.contract == "mystica" && ours.verdict.word == .verified)
        let changed = house.backend.judge(token.dropLast(6) + "AAAAAA")
        #expect(changed.verdict.word == .invalid)
        let stranger = house.backend.judge("eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJlc2lnbmF0dXJl")
        #expect(stranger.contract == nil)
        #expect(house.backend.judge("opaque").verdict.word == .opaque)
    }
}
