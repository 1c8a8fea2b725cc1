import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Accounts registered with the Cognito backend that still have to confirm their address.
@Suite(.timeLimit(.minutes(10))) struct ClarityWaitingTests {
    @Test func `registering with the Cognito backend does not sign in`() async throws {
        let fixture = try await BackendFixture()
        _ = try await fixture.registerWithCognito()
        let (account, sessions) = try await fixture.database.read { connection in
            (
                try connection.accounts(in: Realm(workspace: "main", contract: "clarity")).first,
                try connection.integer("SELECT count(*) FROM sessions")
            )
        }
        #expect(try #require(account).lastLoginAt == nil)
        #expect(sessions == 0)
    }
}
