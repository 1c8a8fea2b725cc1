import SQLite
import Secrets
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct RefreshTests {
    @Test func `a refreshed token retires the old one`() async throws {
        let house = try await BackendHouse()
        let first = try await house.signedIn()
        let second = await house.refresh(first.refreshToken)
        #expect(second.status == 200)
        #expect(second.refreshToken != first.refreshToken)
        #expect(await house.me(second.accessToken).status == 200)
        let third = await house.refresh(second.refreshToken)
        #expect(third.status == 200)
    }

    @Test func `using a retired token again ends the whole session`() async throws {
        let house = try await BackendHouse()
        let first = try await house.signedIn()
        let second = await house.refresh(first.refreshToken)
        let reused = await house.refresh(first.refreshToken)
        #expect(reused.status == 401)
        #expect(reused.code == "INVALID_REFRESH_TOKEN")
        // What was still good is not any more: the ending was committed
        // although the answer was an error.
        #expect(await house.refresh(second.refreshToken).status == 401)
        #expect(await house.me(second.accessToken).code == "invalid_token")
        let known = try await house.backend.session(
            of: second.refreshToken, contract: "mystica", workspace: "main")
        #expect(known?.revokedBecause == "refresh token reused")
        #expect(known?.revokedAt == house.frozen.now)
    }

    @Test func `a request that came before the use it is written after is a reuse`() async throws {
        let house = try await BackendHouse()
        let first = try await house.signedIn()
        let second = await house.refresh(first.refreshToken)
        house.frozen.advance(by: -0.001)
        #expect(await house.refresh(first.refreshToken).status == 401)
        #expect(await house.refresh(second.refreshToken).status == 401)
    }

    @Test func `another sign-in of the same person goes on`() async throws {
        let house = try await BackendHouse()
        let phone = try await house.signedIn()
        let tablet = await house.login()
        _ = await house.refresh(phone.refreshToken)
        _ = await house.refresh(phone.refreshToken)
        #expect(await house.me(phone.accessToken).status == 401)
        #expect(await house.me(tablet.accessToken).status == 200)
        #expect(await house.refresh(tablet.refreshToken).status == 200)
    }

    @Test func `of parallel refreshes of one token exactly one wins`() async throws {
        let house = try await BackendHouse()
        let token = try await house.signedIn().refreshToken
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await house.refresh(token).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 401 }.count == 19)
    }

    @Test func `a token of another workspace is unknown here`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "other")
        let first = try await house.signedIn()
        #expect(await house.refresh(first.refreshToken, in: "other").status == 401)
        #expect(await house.me(first.accessToken, in: "other").status == 401)
        #expect(await house.refresh(first.refreshToken).status == 200)
    }

    @Test func `within the reuse interval a lost answer can be asked for again`() async throws {
        let house = try await BackendHouse()
        let (family, token) = try await lenientFamily(house)
        guard case .rotated(_, _, let lost?) = try await rotate(family, token, house) else {
            Issue.record("the first use rotates")
            return
        }
        house.frozen.advance(by: 9.999)
        guard case .rotated(let session, _, let again?) = try await rotate(family, token, house)
        else {
            Issue.record("a use within the interval rotates as well")
            return
        }
        #expect(session.generation == 3)
        #expect(again != lost)
        guard case .rotated = try await rotate(family, lost, house) else {
            Issue.record("neither answer is worth less than the other")
            return
        }
    }

    @Test func `at the end of the reuse interval the session ends`() async throws {
        let house = try await BackendHouse()
        let (family, token) = try await lenientFamily(house)
        _ = try await rotate(family, token, house)
        house.frozen.advance(by: 10)
        guard case .ended(let session, .reuse) = try await rotate(family, token, house) else {
            Issue.record("a late use is a theft")
            return
        }
        #expect(session.revokedBecause == "refresh token reused")
    }

    @Test func `a family remembers its last thousand generations`() async throws {
        let house = try await BackendHouse()
        var token = try await house.signedIn().refreshToken
        for _ in 0..<1_010 { token = await house.refresh(token).refreshToken }
        let kept = try await house.database.read { connection in
            try connection.integer("SELECT count(*) FROM refresh_tokens")
        }
        // The verified account's first session has one of its own.
        #expect(kept == Int64(1_001))
        #expect(await house.refresh(token).status == 200)
    }

    /// A family with ten seconds' grace, and a session's first token.
    private func lenientFamily(_ house: BackendHouse) async throws -> (RefreshFamily, String) {
        let token = try await house.signedIn().refreshToken
        return (RefreshFamily(world: house.frozen.world, reuseInterval: .seconds(10)), token)
    }

    private func rotate(_ family: RefreshFamily, _ token: String, _ house: BackendHouse)
        async throws -> RefreshFamily.Outcome
    {
        try await family.rotate(
            token, in: Realm(workspace: "main", contract: "mystica"), at: Moment(house.frozen.now),
            database: TracedDatabase(plain: house.database))
    }
}
