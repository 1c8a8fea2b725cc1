import Crypto
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct RefreshTests {
    @Test func `a refreshed token retires the old one`() async throws {
        let fixture = try await BackendFixture()
        let first = try await fixture.signInVerified()
        let second = await fixture.refresh(first.refreshToken)
        #expect(second.status == 200)
        #expect(second.refreshToken != first.refreshToken)
        #expect(await fixture.me(second.accessToken).status == 200)
        let third = await fixture.refresh(second.refreshToken)
        #expect(third.status == 200)
    }

    @Test func `reuse of a retired token ends the session`() async throws {
        let fixture = try await BackendFixture()
        let first = try await fixture.signInVerified()
        let second = await fixture.refresh(first.refreshToken)
        let reused = await fixture.refresh(first.refreshToken)
        #expect(reused.status == 401)
        #expect(reused.code == "INVALID_REFRESH_TOKEN")
        // The revocation was committed although the response is an error.
        #expect(await fixture.refresh(second.refreshToken).status == 401)
        #expect(await fixture.me(second.accessToken).code == "invalid_token")
        let session = try await fixture.backend.session(
            of: second.refreshToken, contract: "mystica", workspace: "main")
        #expect(session?.revocationReason == "refresh token reused")
        #expect(session?.revokedAt?.date == fixture.frozen.now)
    }

    @Test func `a request dated before the recorded use is a reuse`() async throws {
        let fixture = try await BackendFixture()
        let first = try await fixture.signInVerified()
        let second = await fixture.refresh(first.refreshToken)
        fixture.frozen.advance(by: -0.001)
        #expect(await fixture.refresh(first.refreshToken).status == 401)
        #expect(await fixture.refresh(second.refreshToken).status == 401)
    }

    @Test func `reuse leaves another session of the account valid`() async throws {
        let fixture = try await BackendFixture()
        let phone = try await fixture.signInVerified()
        let tablet = await fixture.login()
        _ = await fixture.refresh(phone.refreshToken)
        _ = await fixture.refresh(phone.refreshToken)
        #expect(await fixture.me(phone.accessToken).status == 401)
        #expect(await fixture.me(tablet.accessToken).status == 200)
        #expect(await fixture.refresh(tablet.refreshToken).status == 200)
    }

    @Test func `exactly one of parallel refreshes of a token succeeds`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signInVerified().refreshToken
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await fixture.refresh(token).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 401 }.count == 19)
    }

    @Test func `a token is unknown in another workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        let first = try await fixture.signInVerified()
        #expect(await fixture.refresh(first.refreshToken, in: "other").status == 401)
        #expect(await fixture.me(first.accessToken, in: "other").status == 401)
        #expect(await fixture.refresh(first.refreshToken).status == 200)
    }

    @Test func `a refresh can be repeated within the reuse interval`() async throws {
        let fixture = try await BackendFixture()
        let (family, token) = try await lenientFamily(fixture)
        guard case .rotated(_, _, let firstToken?) = try await rotate(family, token, fixture) else {
            Issue.record("the first use rotates")
            return
        }
        fixture.frozen.advance(by: 9.999)
        guard
            case .rotated(let session, _, let secondToken?) = try await rotate(
                family, token, fixture)
        else {
            Issue.record("a use within the interval rotates as well")
            return
        }
        #expect(session.generation == 3)
        #expect(secondToken != firstToken)
        guard case .rotated = try await rotate(family, firstToken, fixture) else {
            Issue.record("the token of the first rotation rotates as well")
            return
        }
    }

    @Test func `reuse at the end of the reuse interval ends the session`() async throws {
        let fixture = try await BackendFixture()
        let (family, token) = try await lenientFamily(fixture)
        _ = try await rotate(family, token, fixture)
        fixture.frozen.advance(by: 10)
        guard case .rejected(let session, .reuseDetected) = try await rotate(family, token, fixture)
        else {
            Issue.record("a use after the interval is rejected as a reuse")
            return
        }
        #expect(session.revocationReason == "refresh token reused")
    }

    @Test func `a refresh family stores its last thousand generations`() async throws {
        let fixture = try await BackendFixture()
        var token = try await fixture.signInVerified().refreshToken
        for _ in 0..<1_010 { token = await fixture.refresh(token).refreshToken }
        let storedCount = try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM refresh_tokens")
        }
        // One more belongs to the session of the registration.
        #expect(storedCount == Int64(1_001))
        #expect(await fixture.refresh(token).status == 200)
    }

    /// A family with a reuse interval of ten seconds, and the first token of a session.
    private func lenientFamily(_ fixture: BackendFixture) async throws -> (RefreshFamily, String) {
        let token = try await fixture.signInVerified().refreshToken
        var family = RefreshFamily(world: fixture.frozen.world)
        family.reuseInterval = .seconds(10)
        return (family, token)
    }

    private func rotate(_ family: RefreshFamily, _ token: String, _ fixture: BackendFixture)
        async throws -> RefreshFamily.Outcome
    {
        try await family.rotate(
            token, in: Realm(workspace: "main", contract: "mystica"),
            at: Timestamp(fixture.frozen.now),
            database: TracingDatabase(database: fixture.database))
    }
}
