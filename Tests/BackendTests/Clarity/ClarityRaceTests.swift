import SQLite
import Support
import Testing
import Web

@testable import Backend
@testable import BackendContracts

/// Changes made while a new password is hashed. What was checked before hashing is checked again
/// when the password is written.
@Suite(.timeLimit(.minutes(10))) struct ClarityRaceTests {
    private static let realm = Realm(workspace: "main", contract: "clarity")

    /// A change made in the database, bypassing the contract.
    enum Change: CaseIterable, Sendable {
        case password, email, disabled

        func apply(to fixture: BackendFixture) async throws {
            try await fixture.database.write { connection in
                switch self {
                case .password: try connection.run("UPDATE accounts SET password_hash = 'other'")
                case .email: try connection.run("UPDATE accounts SET email = 'eve@example.com'")
                case .disabled: try connection.run("UPDATE accounts SET disabled_at = 1")
                }
            }
        }
    }

    private static func account(in fixture: BackendFixture) async throws -> Account {
        let account = try await fixture.database.read { connection in
            try connection.accounts(in: realm).first
        }
        return try #require(account)
    }

    @Test(arguments: Change.allCases)
    func `an update fails if the account changed meanwhile`(_ change: Change)
        async throws
    {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        let contract = try fixture.clarityContract()
        let before = try await Self.account(in: fixture)
        try await change.apply(to: fixture)
        let after = try await Self.account(in: fixture)
        var update = ClarityAccountUpdate()
        update.password = BackendFixture.newPassword
        await #expect(throws: GoogleFailure.tokenExpired) {
            _ = try await contract.apply(update, to: before)
        }
        #expect(try await Self.account(in: fixture) == after)
    }

    @Test(arguments: [Change.email, .disabled])
    func `a reset by link fails if the account changed meanwhile`(_ change: Change) async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        let code = try await fixture.resetCode()
        let contract = try fixture.clarityContract()
        try await change.apply(to: fixture)
        let after = try await Self.account(in: fixture)
        let state = try await contract.applyPasswordReset(
            by: code, to: BackendFixture.newPassword)
        #expect(state == .unknown)
        #expect(try await Self.account(in: fixture) == after)
    }

    @Test(arguments: [Change.email, .disabled])
    func `a reset by code fails if the account changed meanwhile`(_ change: Change) async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        let code = try await fixture.cognitoResetCode()
        let contract = try fixture.clarityContract()
        let before = try await Self.account(in: fixture)
        try await change.apply(to: fixture)
        let after = try await Self.account(in: fixture)
        await #expect(throws: FastAPIFailure.invalidCode) {
            try await contract.applyPasswordReset(
                by: code, to: BackendFixture.newPassword, of: before)
        }
        #expect(try await Self.account(in: fixture) == after)
    }

    @Test func `a reset by code keeps a registration made meanwhile`() async throws {
        let fixture = try await BackendFixture()
        let token = await fixture.signUpWithFirebase().idToken
        let code = try await fixture.cognitoResetCode()
        let contract = try fixture.clarityContract()
        let before = try await Self.account(in: fixture)
        _ = await fixture.send(.own("/register", ClarityCase.registrationBody, bearer: token))
        try await contract.applyPasswordReset(by: code, to: BackendFixture.newPassword, of: before)
        let profile = ClarityProfile(try await Self.account(in: fixture))
        #expect(profile.registration?.firstName == "Ada")
        #expect(await fixture.signInWithFirebase(BackendFixture.newPassword).status == 200)
    }
}
