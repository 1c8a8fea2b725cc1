import Secrets
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MysticaSecrecyTests {
    @Test(arguments: ["/auth/resend-verification", "/auth/reset-password"])
    func `asking for a mail tells nobody who exists`(_ path: String) async throws {
        let house = try await BackendHouse()
        await house.register("known@example.com")
        try await house.verified("verified@example.com")
        var answers: [Reply] = []
        for name in ["known", "verified", "unknown", "no address"] {
            answers.append(await house.post(path, ["email": .string("\(name)@example.com")]))
        }
        // Beyond the limit as well.
        for _ in 0..<6 { answers.append(await house.post(path, ["email": "known@example.com"])) }
        #expect(answers.map(\.status).allSatisfy { $0 == 200 })
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(answers.allSatisfy { $0.headers == answers.first?.headers })
    }

    @Test func `a wrong password and an unknown address look the same`() async throws {
        let house = try await BackendHouse()
        try await house.verified()
        await house.register("unverified@example.com")
        let wrong = await house.login(BackendHouse.email, "wrong")
        let unknown = await house.login("nobody@example.com", "wrong")
        let unverified = await house.login("unverified@example.com", "wrong")
        #expect(wrong.status == 400)
        #expect(unknown.text == wrong.text)
        #expect(unverified.text == wrong.text)
        #expect(unknown.headers == wrong.headers)
    }

    @Test func `a full hashing line is a 503 that says when to come back`() async throws {
        let failure = MysticaFailure(
            SecretsError(kind: .busy, detail: "256 wait"), to: Request(method: .post, target: "/"),
            at: Moment(milliseconds: 0)
        ).response
        #expect(failure.status == 503)
        #expect(failure.headers["Retry-After"] == "1")
        #expect(Reply(failure).code == "SERVICE_UNAVAILABLE")
    }
}
