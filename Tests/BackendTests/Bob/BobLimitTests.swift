import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BobLimitTests {
    private func house() async throws -> BackendFixture {
        let fixture = try await BackendFixture()
        await fixture.bob()
        return fixture
    }

    @Test func `after five wrong passwords the right one waits too`() async throws {
        let fixture = try await house()
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

    @Test func `a success forgets the failures`() async throws {
        let fixture = try await house()
        for _ in 0..<3 {
            for _ in 0..<4 { _ = await fixture.nestLogin("wrong") }
            #expect(await fixture.nestLogin().status == 200)
        }
    }

    @Test func `it counts for an address from one place`() async throws {
        let fixture = try await house()
        for _ in 0..<5 { _ = await fixture.nestLogin("wrong") }
        #expect(await fixture.nestLogin(peer: "192.0.2.7").status == 200)
        #expect(await fixture.bobSignedIn().access != "")
    }

    @Test func `guessing at once gains nothing`() async throws {
        let fixture = try await house()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await fixture.nestLogin("wrong").status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 401 }.count == 5)
        #expect(statuses.filter { $0 == 429 }.count == 15)
    }

    @Test func `the eleventh refresh within a minute waits`() async throws {
        let fixture = try await house()
        var token = await fixture.nestLogin().camelRefresh
        for _ in 0..<10 { token = await fixture.nestRefresh(token).camelRefresh }
        #expect(await fixture.nestRefresh(token).status == 429)
        fixture.frozen.advance(by: 60)
        #expect(await fixture.nestRefresh(token).status == 200)
    }

    @Test func `an emptied workspace has failed nothing`() async throws {
        let fixture = try await house()
        for _ in 0..<5 { _ = await fixture.nestLogin("wrong") }
        try await fixture.backend.reset(workspace: "main")
        await fixture.bob()
        #expect(await fixture.nestLogin().status == 200)
    }
}
