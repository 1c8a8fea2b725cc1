import Templates
import Testing
import Traffic
import Web

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct TimingTests {
    private func phases(
        _ timings: Timings, status: Int? = 200, url: String = "http://127.0.0.1:7071/a"
    ) -> [(duration: String?, isDrawn: Bool?, x: Double?, share: Double?)] {
        Exchange.mock("e", status: status, url: url, timings: timings).timing.phases.map {
            (
                $0.member("duration"), $0.member("isDrawn"),
                $0.member("x", String.self).flatMap(Double.init),
                $0.member("share", String.self).flatMap(Double.init)
            )
        }
    }

    @Test func `the body phase is the time after the first byte`() {
        let phases = phases(Timings(nameLookup: 0.02, connect: 0.04, firstByte: 2.85, total: 3.1))
        #expect(
            phases.map(\.duration) == [
                "0.02 ms", "0.04 ms", "Skipped (loopback)", "2.85 ms", "0.19 ms",
            ])
        #expect(phases.map(\.isDrawn) == [true, true, false, true, true])
    }

    @Test func `the drawn phases are contiguous and fill the bar`() {
        let drawn = phases(
            Timings(nameLookup: 1, connect: 1, tls: 2, firstByte: 4, total: 10),
            url: "https://api.example.com/a"
        ).filter { $0.isDrawn == true }
        let starts = drawn.compactMap(\.x)
        let shares = drawn.compactMap(\.share)
        #expect(starts == starts.sorted() && starts.first == 0)
        #expect(abs(shares.reduce(0, +) - 99) < 0.1)
        #expect(abs((starts.last ?? 0) + (shares.last ?? 0) - 100) < 0.1)
    }

    @Test func `a reused connection is named and a missing response has no body`() {
        #expect(phases(Timings(firstByte: 1, total: 1)).first?.duration == "Reused connection")
        let failed = phases(Timings(total: 5), status: nil)
        #expect(failed.allSatisfy { $0.isDrawn == false })
        #expect(failed.last?.duration == "None")
    }

    @Test(arguments: [
        (0.0, "0.00 ms"), (0.019, "0.02 ms"), (3.1, "3.10 ms"), (171.24, "171.2 ms"),
        (1_234.0, "1.2 s"),
    ]) func `a short phase has two decimals`(milliseconds: Double, text: String) {
        #expect(Format.phaseDuration(milliseconds) == text)
    }
}
