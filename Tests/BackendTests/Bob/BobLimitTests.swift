import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BobLimitTests {
    private func makeFixture() async throws -> BackendFixture {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        return fixture
    }

    @Test func `the correct password is limited too after five wrong ones`() async throws {
        let fixture = try await makeFixture()
        for _ in 0..<5 {
            #expect(await fixture.nestLogin("wrong").status == 401)
            fixture.frozen.advance(by: 60)
        }
        #expect(await fixture.nestLogin("wrong").status == 429)
        #expect(await fixture.nestLogin().status == 429)
        // The window slides: the first of the five is fifteen minutes old.
        fixture.frozen.advance(by: 600)
        #expect(await fixture.nestLogin().status == 200)
    }

    @Test func `a successful login clears the count of failures`() async throws {
        let fixture = try await makeFixture()
        for _ in 0..<3 {
            for _ in 0..<4 { _ = await fixture.nestLogin("wrong") }
            #expect(await fixture.nestLogin().status == 200)
        }
    }

    @Test func `failed logins are counted per email, client address and dialect`() async throws {
        let fixture = try await makeFixture()
        for _ in 0..<5 { _ = await fixture.nestLogin("wrong") }
        #expect(await fixture.nestLogin(peer: "192.0.2.7").status == 200)
        #expect(await fixture.bobSignIn().access != "")
    }

    @Test func `parallel logins do not bypass the limit`() async throws {
        let fixture = try await makeFixture()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await fixture.nestLogin("wrong").status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 401 }.count == 5)
        #expect(statuses.filter { $0 == 429 }.count == 15)
    }

    @Test func `the eleventh refresh within a minute is limited`() async throws {
        let fixture = try await makeFixture()
        var token = await fixture.nestLogin().camelCaseRefreshToken
        for _ in 0..<10 { token = await fixture.nestRefresh(token).camelCaseRefreshToken }
        #expect(await fixture.nestRefresh(token).status == 429)
        fixture.frozen.advance(by: 60)
        #expect(await fixture.nestRefresh(token).status == 200)
    }

    @Test func `a workspace reset clears the count of failures`() async throws {
        let fixture = try await makeFixture()
        for _ in 0..<5 { _ = await fixture.nestLogin("wrong") }
        try await fixture.backend.reset(workspace: "main")
        await fixture.registerBob()
        #expect(await fixture.nestLogin().status == 200)
    }
}
