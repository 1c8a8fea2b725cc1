import Testing

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct ExchangeSearchTests {
    private func conditions(_ text: String) -> [ExchangeTerm.Condition] {
        ExchangeSearch(text).terms.map(\.condition)
    }

    @Test func `words, quoted texts and URLs are texts`() {
        #expect(conditions("a  b") == [.text("a"), .text("b")])
        #expect(conditions(#""a b" c"#) == [.text("a b"), .text("c")])
        #expect(conditions(#""a\"b\\" "open end"#) == [.text(#"a"b\"#), .text("open end")])
        #expect(conditions("http://x/y -") == [.text("http://x/y"), .text("-")])
        #expect(conditions("127.0.0.1:80 ‹a:b") == [.text("127.0.0.1:80"), .text("‹a:b")])
        #expect(conditions(#""status:401""#) == [.text("status:401")])
    }

    @Test func `filters are read in any case, with quoted values`() {
        #expect(
            conditions(#"STATUS:4XX path:"/a b" cause:Refresh"#) == [
                .status(.statusClass(4)), .path("/a b"), .cause(.refresh),
            ])
        #expect(conditions(#"cause:"Screen load""#) == [.cause(.load)])
        #expect(ExchangeSearch(#"-"a b" -status:200"#).terms.map(\.isExcluded) == [true, true])
    }

    @Test(arguments: [
        ("stat:401", "app:, call:, cause:"), ("status:", "status: must be 401"),
        ("status:999", "status: must be 401"), ("cause:none", "submit"), ("fault:x", "applied"),
        ("has:cookie", "token"), ("path:", "path: must be"),
    ]) func `an invalid filter names what is valid`(_ text: String, _ part: String) {
        let search = ExchangeSearch("\(text) me")
        #expect(search.errors.count == 1 && search.errors[0].contains(part), "\(search.errors)")
        #expect(search.terms.map(\.condition) == [.text("me")])
    }

    @Test func `a search of very many terms is invalid`() {
        let text = (1...65).map { "t\($0)" }.joined(separator: " ")
        #expect(ExchangeSearch(text).errors.count == 1)
    }
}
