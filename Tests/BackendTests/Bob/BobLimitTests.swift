import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BobLimitTests {
    private func house() async throws -> BackendHouse {
        let house = try await BackendHouse()
        await house.bob()
        return house
    }

    @Test func `after five wrong passwords the right one waits too`() async throws {
        let house = try await house()
        for _ in 0..<5 {
            #expect(await house.nestLogin("wrong").status == 401)
            house.frozen.advance(by: 60)
        }
        #expect(await house.nestLogin("wrong").status == 429)
        #expect(await house.nestLogin().status == 429)
        // The window slides: the first of the five is fifteen minutes old.
        house.frozen.advance(by: 600)
        #expect(await house.nestLogin().status == 200)
    }

    @Test func `a success forgets the failures`() async throws {
        let house = try await house()
        for _ in 0..<3 {
            for _ in 0..<4 { _ = await house.nestLogin("wrong") }
            #expect(await house.nestLogin().status == 200)
        }
    }

    @Test func `it counts for an address from one place`() async throws {
        let house = try await house()
        for _ in 0..<5 { _ = await house.nestLogin("wrong") }
        #expect(await house.nestLogin(peer: "192.0.2.7").status == 200)
        #expect(await house.bobSignedIn().access != "")
    }

    @Test func `guessing at once gains nothing`() async throws {
        let house = try await house()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await house.nestLogin("wrong").status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 401 }.count == 5)
        #expect(statuses.filter { $0 == 429 }.count == 15)
    }

    @Test func `the eleventh refresh within a minute waits`() async throws {
        let house = try await house()
        var token = await house.nestLogin().camelRefresh
        for _ in 0..<10 { token = await house.nestRefresh(token).camelRefresh }
        #expect(await house.nestRefresh(token).status == 429)
        house.frozen.advance(by: 60)
        #expect(await house.nestRefresh(token).status == 200)
    }

    @Test func `an emptied workspace has failed nothing`() async throws {
        let house = try await house()
        for _ in 0..<5 { _ = await house.nestLogin("wrong") }
        try await house.backend.reset(workspace: "main")
        await house.bob()
        #expect(await house.nestLogin().status == 200)
    }
}
