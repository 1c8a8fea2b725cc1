import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct AcceptTests {
    @Test(arguments: [
        (
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            true
        ),
        ("*/*", false), ("application/json", false), ("", false),
        ("application/json, text/html;q=0.5", false),
        ("text/html;q=0", false), ("TEXT/HTML ; Q=0.7", true),
        ("text/*", true), ("text/html;q=x", false),
    ])
    func `a client prefers HTML if it accepts HTML more than JSON`(
        _ header: String, _ prefersHTML: Bool
    ) {
        #expect(Accept(["Accept": header]).prefersHTML == prefersHTML)
    }

    @Test func `a request without an Accept header accepts any type`() {
        #expect(!Accept([:]).prefersHTML)
        #expect(Accept([:]).quality(of: "image/png") == 1)
    }

    @Test func `the most specific media range determines the quality`() {
        let accept = Accept(["Accept": "*/*;q=0.1, text/*;q=0.2, text/css"])
        #expect(accept.quality(of: "text/css") == 1)
        #expect(accept.quality(of: "text/html") == 0.2)
        #expect(accept.quality(of: "image/png") == 0.1)
    }
}
