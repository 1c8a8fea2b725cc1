import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct CheckTraceTests {
    private func failed(_ checks: [CheckResult]?) -> String {
        let check = checks?.first { $0.state == .failed }
        return check.map { "\($0.name): \($0.evidence)" } ?? "nothing failed"
    }

    @Test func `an expired token fails with the time since its expiry`() async throws {
        let fixture = try await BackendFixture()
        let token = try await fixture.signInVerified().accessToken
        fixture.frozen.advance(by: 3_612)
        let checks = fixture.takeChecks(of: await fixture.me(token))
        #expect(failed(checks) == "expiry: expired 12 s ago")
        #expect(
            checks?.map(\.name) == [
                "host", "workspace", "route", "authorizationHeader", "jwt", "algorithm",
                "signature", "expiry",
                "session", "accountActive", "emailVerified",
            ])
        #expect(checks?.suffix(3).allSatisfy { $0.state == .skipped } == true)
    }

    @Test func `a correct but expired code fails with the time since its expiry`() async throws {
        let fixture = try await BackendFixture()
        await fixture.postWall("/register")
        let code = try await fixture.wallCode()
        fixture.frozen.advance(by: 940)
        let reply = await fixture.wallLogin(code)
        #expect(
            failed(fixture.takeChecks(of: reply)) == "codeValidity: correct, but expired 40 s ago")
    }

    @Test func `a refresh token used twice fails with its generation`() async throws {
        let fixture = try await BackendFixture()
        let first = try await fixture.signInVerified().refreshToken
        let second = await fixture.refresh(first).refreshToken
        _ = await fixture.refresh(second)
        let reply = await fixture.refresh(second)
        #expect(
            failed(fixture.takeChecks(of: reply))
                == "refreshTokenReuse: generation 2 of 3 reused")
        let again = await fixture.refresh(second)
        #expect(failed(fixture.takeChecks(of: again)) == "session: refresh token reused")
    }

    @Test func `a wrong password fails with the count of failed logins`() async throws {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        _ = await fixture.nestLogin("wrong password")
        _ = await fixture.nestLogin("wrong password")
        let reply = await fixture.nestLogin("wrong password")
        #expect(
            failed(fixture.takeChecks(of: reply))
                == "password: wrong password, 3rd of 5 failed logins in 15 min")
    }

    @Test func `an unknown address is reported in the checks but not in the response`() async throws
    {
        let fixture = try await BackendFixture()
        let reply = await fixture.login("nobody@example.com", "correct horse")
        #expect(reply.code == "INVALID_CREDENTIALS")
        #expect(
            failed(fixture.takeChecks(of: reply))
                == "account: no account with this email, 1st of 5 failed logins in 15 min")
    }

    @Test func `a check trace is returned once, and none for a success`() async throws {
        let fixture = try await BackendFixture()
        let rejected = await fixture.me(nil)
        #expect(fixture.takeChecks(of: rejected) != nil)
        #expect(fixture.takeChecks(of: rejected) == nil)
        let success = await fixture.register()
        #expect(success.requestID != nil)
        #expect(fixture.takeChecks(of: success) == nil)
    }

    @Test func `old check traces are evicted by a thousand newer ones`() async throws {
        let fixture = try await BackendFixture()
        let first = await fixture.me(nil)
        for _ in 0..<1_000 { _ = await fixture.me(nil) }
        #expect(fixture.takeChecks(of: first) == nil)
        #expect(fixture.takeChecks(of: await fixture.me(nil)) != nil)
    }

    @Test func `a check trace contains no user input`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.registerVerified()
        let replies = [
            await fixture.login(BackendFixture.email, "Sesame-open-9"),
            await fixture.me("Sesame-open-9"),
            await fixture.refresh("Sesame-open-9"),
        ]
        for reply in replies {
            let checks = try #require(fixture.takeChecks(of: reply))
            #expect(!checks.contains { $0.evidence.contains("Sesame") })
        }
    }
}
