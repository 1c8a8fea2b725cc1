import FoundationEssentials
import Testing
import Web

@Suite struct FarTimeTests {
    @Test(arguments: [9.2e18, 1e300, .infinity, -9.2e18, -1e300, .nan])
    func `no time is too far away to be written`(_ seconds: Double) {
        let text = Date(timeIntervalSince1970: seconds).iso8601
        #expect(text.utf8.count == "2026-11-21T14:35:15.188Z".utf8.count)
        #expect(Date(iso8601: text)?.iso8601 == text)
    }

    @Test func `the first and the last day are told as they are`() throws {
        for text in [
            "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z",
        ] {
            #expect(try #require(Date(iso8601: text)).iso8601 == text)
        }
    }

    @Test func `a number too great for an integer is the greatest`() {
        #expect(Int(clamping: 1e300) == .max)
        #expect(Int(clamping: -1e300) == .min)
        #expect(Int(clamping: Double(Int.max)) == .max)
        #expect(Int(clamping: .nan) == 0)
        #expect(Int(clamping: 12.9) == 12)
    }
}
