import Core
import FoundationEssentials
import Support
import Testing

@Suite(.timeLimit(.minutes(10))) struct ClocksTests {
    let frozen = FrozenWorld()

    @Test func `a workspace without an adjusted clock has the real time`() {
        let clocks = Clocks(real: frozen.world.now)
        #expect(clocks.now(in: "main") == FrozenWorld.noon)
        #expect(clocks.clock(of: "main").isReal)
    }

    @Test func `an adjusted clock advances with the real one and affects no other`() {
        let clocks = Clocks(real: frozen.world.now)
        clocks.set(Clock(offset: 900), of: "ws_1")
        frozen.advance(by: 60)
        #expect(clocks.now(in: "ws_1") == FrozenWorld.noon + 960)
        #expect(clocks.now(in: "main") == FrozenWorld.noon + 60)
    }

    @Test func `a frozen clock stops and resumes from its frozen time`() {
        let clocks = Clocks(real: frozen.world.now)
        clocks.set(Clock().frozen(at: frozen.now), of: "main")
        frozen.advance(by: 3_600)
        #expect(clocks.now(in: "main") == FrozenWorld.noon)
        let resumed = clocks.clock(of: "main").resumed(at: frozen.now)
        clocks.set(resumed, of: "main")
        frozen.advance(by: 10)
        #expect(clocks.now(in: "main") == FrozenWorld.noon + 10)
        #expect(resumed.offset == -3_600)
    }

    @Test func `a frozen clock that is set stays frozen at the new time`() {
        let clock = Clock().frozen(at: FrozenWorld.noon).showing(
            FrozenWorld.noon + 900, at: FrozenWorld.noon)
        #expect(clock.time(at: FrozenWorld.noon + 5) == FrozenWorld.noon + 900)
    }
}
