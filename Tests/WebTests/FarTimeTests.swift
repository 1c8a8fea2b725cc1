import FoundationEssentials
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct FarTimeTests {
    @Test(arguments: [9.2e18, 1e300, .infinity, -9.2e18, -1e300, .nan])
    func `any time, however distant, is formatted as ISO 8601`(_ seconds: Double) {
        let text = Date(timeIntervalSince1970: seconds).iso8601
        #expect(text.utf8.count == "2026-11-21T14:35:15.188Z".utf8.count)
        #expect(Date(iso8601: text)?.iso8601 == text)
    }

    @Test func `the first and the last representable time are formatted unchanged`() throws {
        for text in ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"] {
            #expect(try #require(Date(iso8601: text)).iso8601 == text)
        }
    }

    @Test func `a double outside the integer range is clamped`() {
        #expect(Int(clamping: 1e300) == .max)
        #expect(Int(clamping: -1e300) == .min)
        #expect(Int(clamping: Double(Int.max)) == .max)
        #expect(Int(clamping: .nan) == 0)
        #expect(Int(clamping: 12.9) == 12)
    }

    @Test(
        arguments: [
            (.int(.max), 253_402_300_799), (.int(.min), -62_135_769_600),
            (.double(9.3e18), 253_402_300_799), (.double(-1e300), -62_135_769_600),
            (.int(253_402_300_800), 253_402_300_799),
            (.double(1_700_000_000.9), 1_700_000_000), (.double(-0.1), -1),
            (.int(-5), -5), (.string("1700000000"), nil), (.null, nil),
        ] as [(JSON, Int64?)])
    func `a claim's time is clamped to the representable range`(
        _ claim: JSON, _ seconds: Int64?
    ) {
        #expect(claim.numericDate == seconds)
    }

    @Test(arguments: [
        (0.019, "0.02"), (171.2, "171.20"), (-1.5, "-1.50"), (-0.004, "0.00"),
        (1e300, "92233720368547758.07"), (.nan, "0.00"),
    ]) func `any number is formatted with two decimals`(_ value: Double, _ text: String) {
        #expect(value.twoDecimals == text)
    }
}
