import FoundationEssentials
import Testing
import Web

@testable import Console

/// Formatting of times, which a foreign token can claim to be anything.
@Suite(.timeLimit(.minutes(10))) struct FormatTests {
    private static let extremeTimes = [9.2e18, -9.2e18, 1e300, .infinity, .nan]

    @Test(arguments: extremeTimes) func `extreme times are formatted`(_ seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(Format.timeOfDay(date).utf8.count == 8)
        #expect(Format.timeOfDayMilliseconds(date).utf8.count == 12)
        #expect(!Format.duration(seconds).isEmpty)
        #expect(!Format.countdown(seconds).isEmpty)
        #expect(Format.milliseconds(seconds).hasSuffix("s"))
        #expect(Format.phaseDuration(seconds).hasSuffix("s"))
        #expect(Format.seconds(seconds).hasSuffix("s"))
        #expect((0...80).contains(Int(Format.barLength(seconds, most: 80)) ?? -1))
    }

    @Test(arguments: extremeTimes) func `extreme lifetimes get a countdown`(_ seconds: Double) {
        let now = Date(timeIntervalSince1970: 1_795_271_700)
        let model = CountdownModel.until(
            Date(timeIntervalSince1970: seconds), from: now, named: "a", testID: "b", now: now)
        #expect(!model.remaining.isEmpty)
    }

    @Test func `times that a clock moved back has not reached are in the future`() {
        let now = Date(timeIntervalSince1970: 1_795_271_700)
        #expect(Format.ago(now - 37, now) == "37 s ago")
        #expect(Format.ago(now + 1, now) == "0 s ago")
        #expect(Format.ago(now + 2_940, now) == "in 49 min")
        #expect(Format.age(now + 2_940, now) == "in 49 min")
        let model = CountdownModel.until(
            now + 6_540, from: now + 2_940, named: "a", testID: "b", now: now)
        #expect(model.caption == "left")
    }

    @Test(arguments: [
        (100, "100 s"), (120, "2 min"), (5_400, "90 min"), (7_200, "2 h"), (86_400, "1 d"),
        (0, "0 s"),
    ]) func `an exact duration uses the largest unit without remainder`(
        seconds: Int, expected: String
    ) {
        #expect(Format.exactDuration(seconds) == expected)
    }
}
