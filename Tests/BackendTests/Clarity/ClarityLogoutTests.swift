import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Which sessions signing out ends.
@Suite(.timeLimit(.minutes(10))) struct ClarityLogoutTests {
    /// Whether the session's refresh token still returns an ID token.
    private static func canRefresh(_ reply: Reply, on fixture: BackendFixture) async -> Bool {
        await fixture.send(.secureToken(ClarityCase.refreshForm(reply))).status == 200
    }

    @Test(arguments: ["", "{}", #"{"all":true}"#])
    func `a bearer token signs out with any body`(_ body: String) async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.signUpWithFirebase()
        for token in [reply.idToken, reply.googleRefreshToken] {
            #expect(await Self.canRefresh(reply, on: fixture))
            let logout = await fixture.send(.own("/logout", body, bearer: token))
            #expect(logout.status == 200)
            #expect(await !Self.canRefresh(reply, on: fixture))
            try await fixture.database.write { connection in
                try connection.run("UPDATE sessions SET revoked_at = NULL")
            }
        }
    }

    @Test(arguments: ["", "{}", #"{"all":true}"#])
    func `a bearer token signs out of the Cognito backend with any body`(_ body: String)
        async throws
    {
        let fixture = try await BackendFixture()
        let reply = try await fixture.signUpWithCognito()
        for token in [reply.accessToken, reply.refreshToken] {
            let logout = await fixture.send(.cognito("/logout", body, bearer: token))
            #expect(logout.status == 200)
            let again = await fixture.send(.cognito("/refresh", bearer: reply.refreshToken))
            #expect(again.status == 500)
            // The documented status 500 is not logged as an internal error.
            #expect(fixture.frozen.lines == [])
            try await fixture.database.write { connection in
                try connection.run("UPDATE sessions SET revoked_at = NULL")
            }
        }
    }

    @Test func `the body's refresh token takes precedence over the bearer token`() async throws {
        let fixture = try await BackendFixture()
        let first = await fixture.signUpWithFirebase()
        fixture.frozen.advance(by: 60)
        let second = await fixture.signInWithFirebase()
        _ = await fixture.send(
            .own("/logout", ClarityCase.refreshBody(first), bearer: second.idToken))
        #expect(await !Self.canRefresh(first, on: fixture))
        #expect(await Self.canRefresh(second, on: fixture))
    }

    @Test func `an ID token ends no session if two began in its second`() async throws {
        let fixture = try await BackendFixture()
        let first = await fixture.signUpWithFirebase()
        let second = await fixture.signInWithFirebase()
        for _ in 0..<2 {
            let logout = await fixture.send(.own("/logout", bearer: first.idToken))
            #expect(logout.status == 200)
        }
        // An ID token does not name its session, so either could be meant.
        #expect(await Self.canRefresh(first, on: fixture))
        #expect(await Self.canRefresh(second, on: fixture))
        _ = await fixture.send(.own("/logout", ClarityCase.refreshBody(first)))
        _ = await fixture.send(.own("/logout", bearer: second.idToken))
        #expect(await !Self.canRefresh(second, on: fixture))
    }
}
