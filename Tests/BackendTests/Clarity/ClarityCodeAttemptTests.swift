import Support
import Testing
import Web

@testable import Backend

/// Concurrent sign-ins with a wrong password.
@Suite(.timeLimit(.minutes(10))) struct ClarityCodeAttemptTests {
    /// Sends a request `count` times concurrently and returns the responses.
    private static func sendConcurrently(
        _ count: Int, on fixture: BackendFixture, _ request: Request
    ) async
        -> [Reply]
    {
        await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<count { group.addTask { await fixture.send(request) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `of many concurrent guesses only ten are checked`() async throws {
        let fixture = try await BackendFixture()
        await fixture.signUpWithFirebase()
        let replies = await Self.sendConcurrently(
            40, on: fixture, .google("signInWithPassword", ClarityCase.wrongCredentials))
        let messages = replies.map { $0.message ?? "none" }
        #expect(messages.filter { $0 == "INVALID_PASSWORD" }.count == 10)
        #expect(messages.filter { $0.hasPrefix("TOO_MANY_ATTEMPTS") }.count == 30)
    }

    @Test func `of many concurrent guesses the Cognito backend checks three`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.signUpWithCognito()
        // One peer may send ten in a minute, and signing up took one.
        let replies = await Self.sendConcurrently(
            9, on: fixture, .cognito("/login", ClarityCase.wrongCredentials))
        let types = replies.map { $0.json["detail"]?["type"]?.string }
        #expect(types.filter { $0 == "invalid_credentials" }.count == 3)
        #expect(types.filter { $0 == "account_locked" }.count == 6)
    }
}
