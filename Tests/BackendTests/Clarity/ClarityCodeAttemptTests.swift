import Support
import Testing
import Web

@testable import Backend

/// Wrong passwords that come all at once.
@Suite(.timeLimit(.minutes(10))) struct ClarityCodeAttemptTests {
    /// What `count` requests are answered, sent together.
    private static func together(_ count: Int, on fixture: BackendFixture, _ request: Request) async
        -> [Reply]
    {
        await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<count { group.addTask { await fixture.send(request) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `only so many of many guesses at once are told they are wrong`() async throws {
        let fixture = try await BackendFixture()
        await fixture.person()
        let replies = await Self.together(
            40, on: fixture, .google("signInWithPassword", ClarityCase.wrong))
        let words = replies.map { $0.message ?? "none" }
        #expect(words.filter { $0 == "INVALID_LOGIN_CREDENTIALS" }.count == 10)
        #expect(words.filter { $0.hasPrefix("TOO_MANY_ATTEMPTS") }.count == 30)
    }

    @Test func `only three of many guesses at once are told by Cognito's`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.confirmed()
        // As many as one peer may send in a minute, less the one above.
        let replies = await Self.together(9, on: fixture, .cognito("/login", ClarityCase.wrong))
        let words = replies.map { $0.json["detail"]?["type"]?.string }
        #expect(words.filter { $0 == "invalid_credentials" }.count == 3)
        #expect(words.filter { $0 == "account_locked" }.count == 6)
    }
}
