import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct TrailTests {
    private func failed(_ checks: [CheckMade]?) -> String {
        let check = checks?.first { $0.state == .failed }
        return check.map { "\($0.name): \($0.evidence)" } ?? "nothing failed"
    }

    @Test func `an expired token is told with when it ended`() async throws {
        let house = try await BackendHouse()
        let token = try await house.signedIn().accessToken
        house.frozen.advance(by: 3_612)
        let checks = house.checks(of: await house.me(token))
        #expect(failed(checks) == "expiry: exp 12 s ago on this clock")
        #expect(
            checks?.map(\.name) == [
                "host", "workspace", "route", "header", "jwt", "algorithm", "signature", "expiry",
                "session", "standing", "verified",
            ])
        #expect(checks?.suffix(3).allSatisfy { $0.state == .notReached } == true)
    }

    @Test func `a code that is right but too old says by how much`() async throws {
        let house = try await BackendHouse()
        await house.wall("/register")
        let code = try await house.code()
        house.frozen.advance(by: 940)
        let reply = await house.wallLogin(code)
        #expect(failed(house.checks(of: reply)) == "codeFresh: it is right but expired 40 s ago")
    }

    @Test func `a refresh token used twice names its generation`() async throws {
        let house = try await BackendHouse()
        let first = try await house.signedIn().refreshToken
        let second = await house.refresh(first).refreshToken
        _ = await house.refresh(second)
        let reply = await house.refresh(second)
        #expect(
            failed(house.checks(of: reply))
                == "generation: refresh generation 2 of 3 was used again")
        let again = await house.refresh(second)
        #expect(failed(house.checks(of: again)) == "session: it ended: refresh token reused")
    }

    @Test func `a wrong password is counted where it is counted`() async throws {
        let house = try await BackendHouse()
        await house.bob()
        _ = await house.nestLogin("wrong password")
        _ = await house.nestLogin("wrong password")
        let reply = await house.nestLogin("wrong password")
        #expect(
            failed(house.checks(of: reply))
                == "password: wrong password, 3rd of 5 failed logins in 15 min")
    }

    @Test func `an unknown address is told as one to the developer alone`() async throws {
        let house = try await BackendHouse()
        let reply = await house.login("nobody@example.com", "correct horse")
        #expect(reply.code == "INVALID_CREDENTIALS")
        #expect(failed(house.checks(of: reply)) == "account: no row for this e-mail")
    }

    @Test func `a trail is given once, and none for an answer that is fine`() async throws {
        let house = try await BackendHouse()
        let refused = await house.me(nil)
        #expect(house.checks(of: refused) != nil)
        #expect(house.checks(of: refused) == nil)
        let fine = await house.register()
        #expect(fine.requestID != nil)
        #expect(house.checks(of: fine) == nil)
    }

    @Test func `a thousand refusals nobody asks about are not all kept`() async throws {
        let house = try await BackendHouse()
        let first = await house.me(nil)
        for _ in 0..<1_000 { _ = await house.me(nil) }
        #expect(house.checks(of: first) == nil)
        #expect(house.checks(of: await house.me(nil)) != nil)
    }

    @Test func `nothing typed stands in a trail`() async throws {
        let house = try await BackendHouse()
        try await house.verified()
        let replies = [
            await house.login(BackendHouse.email, "Sesame-open-9"), await house.me("Sesame-open-9"),
            await house.refresh("Sesame-open-9"),
        ]
        for reply in replies {
            let checks = try #require(house.checks(of: reply))
            #expect(!checks.contains { $0.evidence.contains("Sesame") })
        }
    }
}
