import SQLite
import Support
import Testing
import Web

@testable import Backend

/// Whom signing out ends.
@Suite(.timeLimit(.minutes(10))) struct ClarityLogoutTests {
    /// Whether a refresh token still gives an ID token.
    private static func lasts(_ reply: Reply, on house: BackendHouse) async -> Bool {
        await house.send(.secureToken(ClarityCase.form(reply))).status == 200
    }

    @Test(arguments: ["", "{}", #"{"all":true}"#])
    func `a bearer signs out whatever body comes with it`(_ body: String) async throws {
        let house = try await BackendHouse()
        let reply = await house.person()
        for token in [reply.idToken, reply.googleRefreshToken] {
            #expect(await Self.lasts(reply, on: house))
            let answer = await house.send(.own("/logout", body, bearer: token))
            #expect(answer.status == 200)
            #expect(await !Self.lasts(reply, on: house))
            try await house.database.write { connection in
                try connection.run("UPDATE sessions SET revoked_at = NULL")
            }
        }
    }

    @Test(arguments: ["", "{}", #"{"all":true}"#])
    func `a bearer signs out of Cognito's whatever body comes with it`(_ body: String) async throws
    {
        let house = try await BackendHouse()
        let reply = try await house.confirmed()
        for token in [reply.accessToken, reply.refreshToken] {
            let answer = await house.send(.cognito("/logout", body, bearer: token))
            #expect(answer.status == 200)
            let again = await house.send(.cognito("/refresh", bearer: reply.refreshToken))
            #expect(again.status == 500)
            // What its document has it say is no error of ours.
            #expect(house.frozen.lines == [])
            try await house.database.write { connection in
                try connection.run("UPDATE sessions SET revoked_at = NULL")
            }
        }
    }

    @Test func `the body's refresh token counts before the bearer`() async throws {
        let house = try await BackendHouse()
        let one = await house.person()
        house.frozen.advance(by: 60)
        let other = await house.back()
        _ = await house.send(.own("/logout", ClarityCase.refreshing(one), bearer: other.idToken))
        #expect(await !Self.lasts(one, on: house))
        #expect(await Self.lasts(other, on: house))
    }

    @Test func `an ID token signs out nobody else of the same second`() async throws {
        let house = try await BackendHouse()
        let one = await house.person()
        let other = await house.back()
        for _ in 0..<2 {
            let answer = await house.send(.own("/logout", bearer: one.idToken))
            #expect(answer.status == 200)
        }
        // Which of the two it is, an ID token cannot say.
        #expect(await Self.lasts(one, on: house))
        #expect(await Self.lasts(other, on: house))
        _ = await house.send(.own("/logout", ClarityCase.refreshing(one)))
        _ = await house.send(.own("/logout", bearer: other.idToken))
        #expect(await !Self.lasts(other, on: house))
    }
}
