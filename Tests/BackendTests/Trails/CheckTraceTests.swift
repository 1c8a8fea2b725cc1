import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct CheckTraceTests {
    private func failed(_ checks: [CheckResult]?) -> String {
        let check = checks?.first { $0.state == .failed }
        return check.map { "\($0.name): \($0.evidence)" } ?? "nothing failed"
    }

    @Test func `an expired token is told with when it ended`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signedIn().accessToken
        fixture.frozen.advance(by: 3_612)
        let checks = fixture.checks(of: await fixture.me(token))
        #expect(failed(checks) == "expiry: exp 12 s ago on this clock")
        #expect(
            checks?.map(\.name) == [
                "host", "workspace", "route", "header", "jwt", "algorithm", "signature", "expiry",
                "session", "standing", "verified",
            ])
        #expect(checks?.suffix(3).allSatisfy { $0.state == .skipped } == true)
    }

    @Test func `a code that is right but too old says by how much`() async throws {
        let fixture = try await BackendFixture()
        await fixture.wall("/register")
        let code = try await fixture.code()
        fixture.frozen.advance(by: 940)
        let reply = await fixture.wallLogin(code)
        #expect(failed(fixture.checks(of: reply)) == "codeFresh: it is right but expired 40 s ago")
    }

    @Test func `a refresh token used twice names its generation`() async throws {
        let fixture = try await BackendFixture()
        let first = try await fixture.signedIn().refreshToken
        let second = await fixture.refresh(first).refreshToken
        _ = await fixture.refresh(second)
        let reply = await fixture.refresh(second)
        #expect(
            failed(fixture.checks(of: reply))
                == "generation: refresh generation 2 of 3 was used again")
        let again = await fixture.refresh(second)
        #expect(failed(fixture.checks(of: again)) == "session: it ended: refresh token reused")
    }

    @Test func `a wrong password is counted where it is counted`() async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        _ = await fixture.nestLogin("wrong password")
        _ = await fixture.nestLogin("wrong password")
        let reply = await fixture.nestLogin("wrong password")
        #expect(
            failed(fixture.checks(of: reply))
                == "password: wrong password, 3rd of 5 failed logins in 15 min")
    }

    @Test func `an unknown address is told as one to the developer alone`() async throws {
        let fixture = try await BackendFixture()
        let reply = await fixture.login("nobody@example.com", "correct horse")
        #expect(reply.code == "INVALID_CREDENTIALS")
        #expect(failed(fixture.checks(of: reply)) == "account: no row for this e-mail")
    }

    @Test func `a trail is given once, and none for an answer that is fine`() async throws {
        let fixture = try await BackendFixture()
        let refused = await fixture.me(nil)
        #expect(fixture.checks(of: refused) != nil)
        #expect(fixture.checks(of: refused) == nil)
        let fine = await fixture.register()
        #expect(fine.requestID != nil)
        #expect(fixture.checks(of: fine) == nil)
    }

    @Test func `a thousand refusals nobody asks about are not all kept`() async throws {
        let fixture = try await BackendFixture()
        let first = await fixture.me(nil)
        for _ in 0..<1_000 { _ = await fixture.me(nil) }
        #expect(fixture.checks(of: first) == nil)
        #expect(fixture.checks(of: await fixture.me(nil)) != nil)
    }

    @Test func `nothing typed stands in a trail`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.verified()
        let replies = [
            await fixture.login(BackendFixture.email, "Sesame-open-9"),
            await fixture.me("Sesame-open-9"),
            await fixture.refresh("Sesame-open-9"),
        ]
        for reply in replies {
            let checks = try #require(fixture.checks(of: reply))
            #expect(!checks.contains { $0.evidence.contains("Sesame") })
        }
    }
}
