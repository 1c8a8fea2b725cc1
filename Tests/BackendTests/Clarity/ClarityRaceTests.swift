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

        func make(in house: BackendHouse) async throws {
            try await house.database.write { connection in
                switch self {
                case .password: try connection.run("UPDATE accounts SET password_hash = 'other'")
                case .email: try connection.run("UPDATE accounts SET email = 'eve@example.com'")
                case .disabled: try connection.run("UPDATE accounts SET disabled_at = 1")
                }
            }
        }
    }

    private static func person(of house: BackendHouse) async throws -> Account {
        let found = try await house.database.read { connection in
            try connection.accounts(in: realm).first
        }
        return try #require(found)
    }

    @Test(arguments: Change.allCases)
    func `an update of whom somebody else changed meanwhile is refused`(_ other: Change)
        async throws
    {
        let house = try await BackendHouse()
        await house.person()
        let contract = try house.clarityContract()
        let before = try await Self.person(of: house)
        try await other.make(in: house)
        let after = try await Self.person(of: house)
        var change = ClarityChange()
        change.password = BackendHouse.newPassword
        await #expect(throws: ClarityFailure.tokenExpired) {
            _ = try await contract.apply(change, to: before)
        }
        #expect(try await Self.person(of: house) == after)
    }

    @Test(arguments: [Change.email, .disabled])
    func `a link resets nobody who was changed while it was used`(_ other: Change) async throws {
        let house = try await BackendHouse()
        await house.person()
        let code = try await house.resetCode()
        let contract = try house.clarityContract()
        try await other.make(in: house)
        let after = try await Self.person(of: house)
        let state = try await contract.reset(by: code, to: BackendHouse.newPassword, in: Self.realm)
        #expect(state == .unknown)
        #expect(try await Self.person(of: house) == after)
    }

    @Test(arguments: [Change.email, .disabled])
    func `digits reset nobody who was changed while they were used`(_ other: Change) async throws {
        let house = try await BackendHouse()
        await house.person()
        let code = try await house.forgotten()
        let contract = try house.clarityContract()
        let before = try await Self.person(of: house)
        try await other.make(in: house)
        let after = try await Self.person(of: house)
        await #expect(throws: ClarityProblem.invalidCode) {
            try await contract.reset(by: code, to: BackendHouse.newPassword, of: before)
        }
        #expect(try await Self.person(of: house) == after)
    }

    @Test func `digits keep what somebody told while they were used`() async throws {
        let house = try await BackendHouse()
        let token = await house.person().idToken
        let code = try await house.forgotten()
        let contract = try house.clarityContract()
        let before = try await Self.person(of: house)
        _ = await house.send(.own("/register", ClarityCase.names, bearer: token))
        try await contract.reset(by: code, to: BackendHouse.newPassword, of: before)
        let person = ClarityPerson(try await Self.person(of: house))
        #expect(person.registration?.firstName == "Ada")
        #expect(await house.back(BackendHouse.newPassword).status == 200)
    }
}
