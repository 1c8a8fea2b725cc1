@testable import Crypto
import Support
import Testing
import Web

@testable import Backend
@testable import BackendContracts

@Suite(.timeLimit(.minutes(10))) struct MysticaRedactionTests {
    @Test(arguments: ["/auth/resend-verification", "/auth/reset-password"])
    func `a mail request does not reveal whether an account exists`(_ path: String) async throws {
        let fixture = try await BackendFixture()
        await fixture.register("known@example.com")
        try await fixture.registerVerified("verified@example.com")
        var replies: [Reply] = []
        for name in ["known", "verified", "unknown", "no address"] {
            replies.append(await fixture.post(path, ["email": .string("\(name)@example.com")]))
        }
        // Beyond the rate limit as well.
        for _ in 0..<6 { replies.append(await fixture.post(path, ["email": "known@example.com"])) }
        #expect(replies.map(\.status).allSatisfy { $0 == 200 })
        #expect(Set(replies.map(\.text)).count == 1)
        #expect(replies.allSatisfy { $0.headers == replies.first?.headers })
    }

    @Test func `a wrong password and an unknown address get the same response`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerVerified()
        await fixture.register("unverified@example.com")
        let wrong = await fixture.login(BackendFixture.email, "wrong")
        let unknown = await fixture.login("nobody@example.com", "wrong")
        let unverified = await fixture.login("unverified@example.com", "wrong")
        #expect(wrong.status == 400)
        #expect(unknown.text == wrong.text)
        #expect(unverified.text == wrong.text)
        #expect(unknown.headers == wrong.headers)
    }

    @Test func `five failed logins of an address are followed by a 429, a right password too`()
        async throws
    {
        let fixture = try await BackendFixture()
        try await fixture.registerVerified()
        for _ in 0..<5 { #expect(await fixture.login(BackendFixture.email, "wrong").status == 400) }
        let refused = await fixture.login()
        #expect(refused.status == 429)
        #expect(refused.code == "too_many_attempts")
        #expect(refused.headers["Retry-After"] == "900")
        try await fixture.registerVerified("other@example.com")
        #expect(await fixture.login("other@example.com").status == 200)
    }

    @Test func `a full hashing queue gives 503 with Retry-After`() async throws {
        let failure = MysticaFailure(
            CryptoError(kind: .busy, detail: "256 wait"), to: Request(method: .post, target: "/")
        ).response(at: Timestamp(milliseconds: 0))
        #expect(failure.status == 503)
        #expect(failure.headers["Retry-After"] == "1")
        #expect(Reply(failure).code == "SERVICE_UNAVAILABLE")
    }
}
