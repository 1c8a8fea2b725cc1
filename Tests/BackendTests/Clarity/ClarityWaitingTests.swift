import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Who registered and has to show a code first.
@Suite(.timeLimit(.minutes(10))) struct ClarityWaitingTests {
    @Test func `registering with Cognito's signs nobody in`() async throws {
        let fixture = try await BackendFixture()
        _ = try await fixture.registered()
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
