import Testing
import Web

/// Parsing of URLs, with the examples and rules of RFC 3986.
@Suite(.timeLimit(.minutes(10))) struct URLPartsTests {
    @Test func `a URL is split into its five parts`() {
        let parts = URLParts("foo://example.com:8042/over/there?name=f#nose")
        #expect(parts.scheme == "foo")
        #expect(parts.authority == "example.com:8042")
        #expect(parts.path == "/over/there")
        #expect(parts.query == "name=f")
        #expect(parts.fragment == "nose")
    }

    @Test func `a scheme needs no authority`() {
        let parts = URLParts("urn:example:animal:ferret:nose")
        #expect(parts.scheme == "urn")
        #expect(parts.authority == nil)
        #expect(parts.path == "example:animal:ferret:nose")
        #expect(parts.origin == "")
    }

    @Test(arguments: ["/a:b", "a/b://c", "?next=https://x.org", "1a://b", "://a"])
    func `text that does not begin with a valid scheme has none`(_ text: String) {
        #expect(URLParts(text).scheme == nil)
        #expect(URLParts(text).authority == nil)
    }

    @Test func `a missing part is nil, an empty part is empty`() {
        let bare = URLParts("")
        #expect(bare.scheme == nil && bare.authority == nil)
        #expect(bare.path == "" && bare.query == nil && bare.fragment == nil)
        let empty = URLParts("https://?#")
        #expect(empty.authority == "" && empty.query == "")
        #expect(empty.fragment == "" && empty.host == "" && !empty.isHTTPURL)
    }

    @Test func `a query and a fragment may contain a question mark`() {
        #expect(URLParts("/a?b?c#d?e#f").query == "b?c")
        #expect(URLParts("/a?b?c#d?e#f").fragment == "d?e#f")
    }

    @Test func `an origin is in lower case, and empty without a scheme`() {
        #expect(URLParts("HTTPS://API.Example.com:444/V1").origin == "https://api.example.com:444")
        #expect(URLParts("//example.com/x").origin == "")
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h?a=b", "/?a=b"), ("http://h/x#y", "/x"),
        ("http://h/x?a=b#y", "/x?a=b"), ("/x?", "/x?"), ("here", "here"),
    ]) func `the request target is the path and the query`(_ text: String, _ target: String) {
        #expect(URLParts(text).requestTarget == target)
    }

    @Test(arguments: [
        ("http://h/a?b#c", "http://h/a"), ("http://h?b", "http://h"), ("http://h", "http://h"),
        ("/a#c", "/a"),
    ]) func `the text before the query excludes the query and the fragment`(
        _ text: String, _ expected: String
    ) {
        #expect(URLParts(text).textBeforeQuery == expected)
    }

    @Test func `query items are in order and not decoded`() {
        let items = URLParts("/x?a=1&b&=2&a=%20=+&&c=#d=3").queryItems
        #expect(items.map(\.name) == ["a", "b", "", "a", "c"])
        #expect(items.map(\.value) == ["1", "", "2", "%20=+", ""])
        #expect(URLParts("/x").queryItems.isEmpty)
    }

    @Test(arguments: [
        ("https://h/v1", "", true), ("https://h/v1/me?x", "/me?x", true),
        ("https://h/v1?x", "?x", true), ("https://h/v1#x", "#x", true),
        ("https://h/v10/me", "", false), ("https://h/v", "", false),
        ("https://h.org/v1", "", false),
    ]) func `a URL is below a base only at a segment boundary`(
        _ text: String, _ suffixText: String, _ isBelow: Bool
    ) {
        let suffix = URLParts(text).suffix(below: "https://h/v1")
        #expect(suffix.map(String.init) == (isBelow ? suffixText : nil))
    }

    @Test(
        arguments: [
            ("http://h", "h", 80), ("https://H/x", "h", 443),
            ("http://h:8080?x", "h", 8_080), ("http://h:/x", "h", nil),
            ("http://[::1]", "[::1]", 80), ("http://[FE80::1]:1", "[fe80::1]", 1),
            ("http://a:b@h:1", "h", 1), ("http://h@", "", 80),
            ("http://h:0", "h", nil), ("http://h:65536", "h", nil),
            ("http://h:+80", "h", nil), ("http://h:8x", "h", nil),
            ("http://[::1", "[", nil), ("ws://h", "h", nil), ("/h:1", "", nil),
        ] as [(String, String, UInt16?)])
    func `the authority is split into host and port`(
        _ text: String, _ host: String, _ port: UInt16?
    ) {
        #expect(URLParts(text).host == host)
        #expect(URLParts(text).port == port)
    }

    @Test func `the user info is the text before the last at sign`() {
        #expect(URLParts("http://a@b:c@h/@").userInfo == "a@b:c")
        #expect(URLParts("http://h/@").userInfo == nil)
        #expect(URLParts("http://@h").userInfo == "")
    }

    @Test(arguments: [
        "http://localhost", "https://LOCALHOST:1/x", "http://a.b.localhost",
        "http://127.0.0.1:7070", "http://127.255.0.3", "http://[::1]:1", "http://a@127.0.0.1",
    ]) func `loopback hosts are recognized`(_ text: String) {
        #expect(URLParts(text).isLoopback)
    }

    @Test(arguments: [
        "http://localhost.example.com", "http://mylocalhost", "http://127.1",
        "http://127.0.0.1.example.com", "http://127.0.0.256", "http://[::2]",
        "http://127.0.0.+1", "http://127.0.0.1@example.com", "http://",
        "/127.0.0.1", "http://128.0.0.1",
    ])
    func `hosts that resemble loopback hosts are not loopback`(_ text: String) {
        #expect(!URLParts(text).isLoopback)
    }

    @Test func `only http and https URLs with a host are HTTP URLs`() {
        #expect(URLParts("HTTP://h").isHTTPURL)
        #expect(URLParts("https://h/x").isHTTPURL)
        #expect(!URLParts("ftp://h").isHTTPURL)
        #expect(!URLParts("https:///x").isHTTPURL)
        #expect(!URLParts("https:h").isHTTPURL)
        #expect(!URLParts("//h").isHTTPURL)
    }
}
