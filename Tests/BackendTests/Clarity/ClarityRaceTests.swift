import SQLite
import Support
import Testing
import Web

@testable import Backend

/// What changed while a new password was hashed: what was judged before is
/// judged again when it is written.
@Suite(.timeLimit(.minutes(10))) struct ClarityRaceTests {
    private static let realm = Realm(workspace: "main", contract: "clarity")

    /// A change of the database behind the contract's back.
    enum Change: CaseIterable, Sendable {
        case password, email, disabled

        func make(in fixture: BackendFixture) async throws {
            try await fixture.database.write { connection in
                switch self {
                case .password: try connection.run("UPDATE accounts SET password_hash = 'other'")
                case .email: try connection.run("UPDATE accounts SET email = 'eve@example.com'")
                case .disabled: try connection.run("UPDATE accounts SET disabled_at = 1")
                }
            }
        }
    }

    private static func person(of fixture: BackendFixture) async throws -> Account {
        let found = try await fixture.database.read { connection in
            try connection.accounts(in: realm).first
        }
        return try #require(found)
    }

    @Test(arguments: Change.allCases)
    func `an update of whom somebody else changed meanwhile is refused`(_ other: Change)
        async throws
    {
        let fixture = try await BackendFixture()
        await fixture.person()
        let contract = try fixture.clarityContract()
        let before = try await Self.person(of: fixture)
        try await other.make(in: fixture)
        let after = try await Self.person(of: fixture)
        var change = ClarityAccountUpdate()
        change.password = BackendFixture.newPassword
        await #expect(throws: ClarityGoogleFailure.tokenExpired) {
            _ = try await contract.apply(change, to: before)
        }
        #expect(try await Self.person(of: fixture) == after)
    }

    @Test(arguments: [Change.email, .disabled])
    func `a link resets nobody who was changed while it was used`(_ other: Change) async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        let code = try await fixture.resetCode()
        let contract = try fixture.clarityContract()
        try await other.make(in: fixture)
        let after = try await Self.person(of: fixture)
        let state = try await contract.applyPasswordReset(
            by: code, to: BackendFixture.newPassword, in: Self.realm)
        #expect(state == .unknown)
        #expect(try await Self.person(of: fixture) == after)
    }

    @Test(arguments: [Change.email, .disabled])
    func `digits reset nobody who was changed while they were used`(_ other: Change) async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        let code = try await fixture.forgotten()
        let contract = try fixture.clarityContract()
        let before = try await Self.person(of: fixture)
        try await other.make(in: fixture)
        let after = try await Self.person(of: fixture)
        await #expect(throws: ClarityFastAPIFailure.invalidCode) {
            try await contract.applyPasswordReset(
                by: code, to: BackendFixture.newPassword, of: before)
        }
        #expect(try await Self.person(of: fixture) == after)
    }

    @Test func `digits keep what somebody told while they were used`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.person().idToken
        let code = try await fixture.forgotten()
        let contract = try fixture.clarityContract()
        let before = try await Self.person(of: fixture)
        _ = await fixture.send(.own("/register", ClarityCase.names, bearer: token))
        try await contract.applyPasswordReset(by: code, to: BackendFixture.newPassword, of: before)
        let person = ClarityProfile(try await Self.person(of: fixture))
        #expect(person.registration?.firstName == "Ada")
        #expect(await fixture.back(BackendFixture.newPassword).status == 200)
    }
}
