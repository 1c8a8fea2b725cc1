import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Whom signing out ends.
@Suite(.timeLimit(.minutes(10))) struct ClarityLogoutTests {
    /// Whether a refresh token still gives an ID token.
    private static func lasts(_ reply: Reply, on fixture: BackendFixture) async -> Bool {
        await fixture.send(.secureToken(ClarityCase.form(reply))).status == 200
    }

    @Test(arguments: ["", "{}", #"{"all":true}"#])
    func `a bearer signs out whatever body comes with it`(_ body: String) async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.person()
        for token in [reply.idToken, reply.googleRefreshToken] {
            #expect(await Self.lasts(reply, on: fixture))
            let answer = await fixture.send(.own("/logout", body, bearer: token))
            #expect(answer.status == 200)
            #expect(await !Self.lasts(reply, on: fixture))
            try await fixture.database.write { connection in
                try connection.run("UPDATE sessions SET revoked_at = NULL")
            }
        }
    }

    @Test(arguments: ["", "{}", #"{"all":true}"#])
    func `a bearer signs out of Cognito's whatever body comes with it`(_ body: String) async throws
    {
        let fixture = try await BackendFixture()
        let reply = try await fixture.confirmed()
        for token in [reply.accessToken, reply.refreshToken] {
            let answer = await fixture.send(.cognito("/logout", body, bearer: token))
            #expect(answer.status == 200)
            let again = await fixture.send(.cognito("/refresh", bearer: reply.refreshToken))
            #expect(again.status == 500)
            // What its document has it say is no error of ours.
            #expect(fixture.frozen.lines == [])
            try await fixture.database.write { connection in
                try connection.run("UPDATE sessions SET revoked_at = NULL")
            }
        }
    }

    @Test func `the body's refresh token counts before the bearer`() async throws {
        let fixture = try await BackendFixture()
        let one = await fixture.person()
        fixture.frozen.advance(by: 60)
        let other = await fixture.back()
        _ = await fixture.send(.own("/logout", ClarityCase.refreshing(one), bearer: other.idToken))
        #expect(await !Self.lasts(one, on: fixture))
        #expect(await Self.lasts(other, on: fixture))
    }

    @Test func `an ID token signs out nobody else of the same second`() async throws {
        let fixture = try await BackendFixture()
        let one = await fixture.person()
        let other = await fixture.back()
        for _ in 0..<2 {
            let answer = await fixture.send(.own("/logout", bearer: one.idToken))
            #expect(answer.status == 200)
        }
        // Which of the two it is, an ID token cannot say.
        #expect(await Self.lasts(one, on: fixture))
        #expect(await Self.lasts(other, on: fixture))
        _ = await fixture.send(.own("/logout", ClarityCase.refreshing(one)))
        _ = await fixture.send(.own("/logout", bearer: other.idToken))
        #expect(await !Self.lasts(other, on: fixture))
    }
}
