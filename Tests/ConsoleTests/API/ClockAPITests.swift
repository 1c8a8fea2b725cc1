import FoundationEssentials
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct ClockAPITests {
    @Test func `a workspace starts with the system time`() async throws {
        let fixture = try await FoyerFixture()
        let clock = await fixture.ask(.get, "/api/clock").json
        #expect(clock["now"]?.string == FrozenWorld.noon.iso8601)
        #expect(clock["offset"] == .double(0) || clock["offset"] == .int(0))
        #expect(clock["frozen"]?.bool == false)
    }

    @Test func `advancing twice adds up`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 900])
        let clock = await fixture.ask(.patch, "/api/clock", json: ["advance": 60]).json
        #expect(clock["now"]?.string == (FrozenWorld.noon + 960).iso8601)
        #expect(clock["real"]?.string == FrozenWorld.noon.iso8601)
    }

    @Test func `a frozen clock stops until it is resumed`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/clock", json: ["freeze": true])
        fixture.frozen.advance(by: 100)
        var clock = await fixture.ask(.get, "/api/clock").json
        #expect(clock["now"]?.string == FrozenWorld.noon.iso8601)
        clock = await fixture.ask(.patch, "/api/clock", json: ["freeze": false]).json
        fixture.frozen.advance(by: 5)
        clock = await fixture.ask(.get, "/api/clock").json
        #expect(clock["now"]?.string == (FrozenWorld.noon + 5).iso8601)
    }

    @Test func `the clock can be set to a time`() async throws {
        let fixture = try await FoyerFixture()
        let clock = await fixture.ask(.patch, "/api/clock", json: ["at": "2027-01-01T00:00:00Z"])
            .json
        #expect(clock["now"]?.string == "2027-01-01T00:00:00.000Z")
    }

    @Test(
        arguments: [
            ([:], "/"), (["advance": "soon"], "/advance"),
            (["offset": 1, "advance": 1], "/"), (["at": "noon"], "/at"),
            (["freeze": 1], "/freeze"), (["speed": 2], "/speed"),
        ] as [(JSON, String)])
    func `an invalid field is named`(
        body: JSON, pointer: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.patch, "/api/clock", json: body)
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer)
    }

    @Test func `a clock cannot be moved beyond the range of dates`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.patch, "/api/clock", json: ["advance": 1e12])
        #expect(response.status == 400)
        #expect(response.json["type"]?.string == "/problems/clock-too-far")
    }

    @Test func `a reset restores the system time`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 900])
        await fixture.succeed(.post, "/api/reset")
        let clock = await fixture.ask(.get, "/api/clock").json
        #expect(clock["now"]?.string == FrozenWorld.noon.iso8601)
    }
}
