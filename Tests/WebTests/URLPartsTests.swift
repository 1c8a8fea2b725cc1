import Testing
import Web

/// What comes of cutting a URL up, by the examples and the rules of RFC 3986.
@Suite(.timeLimit(.minutes(10))) struct URLPartsTests {
    @Test func `a URL is cut into its five parts`() {
        let address = URLParts("foo://example.com:8042/over/there?name=f#nose")
        #expect(address.scheme == "foo")
        #expect(address.authority == "example.com:8042")
        #expect(address.path == "/over/there")
        #expect(address.query == "name=f")
        #expect(address.fragment == "nose")
    }

    @Test func `a scheme needs no authority`() {
        let address = URLParts("urn:example:animal:ferret:nose")
        #expect(address.scheme == "urn")
        #expect(address.authority == nil)
        #expect(address.path == "example:animal:ferret:nose")
        #expect(address.origin == "")
    }

    @Test(arguments: ["/a:b", "a/b://c", "?next=https://x.org", "1a://b", "://a"])
    func `what begins otherwise has no scheme`(_ text: String) {
        #expect(URLParts(text).scheme == nil)
        #expect(URLParts(text).authority == nil)
    }

    @Test func `what is not there is nil, what is empty is empty`() {
        let bare = URLParts("")
        #expect(bare.scheme == nil && bare.authority == nil)
        #expect(bare.path == "" && bare.query == nil && bare.fragment == nil)
        let empty = URLParts("https://?#")
        #expect(empty.authority == "" && empty.query == "")
        #expect(empty.fragment == "" && empty.host == "" && !empty.isHTTPURL)
    }

    @Test func `a question mark may stand in a query and in a fragment`() {
        #expect(URLParts("/a?b?c#d?e#f").query == "b?c")
        #expect(URLParts("/a?b?c#d?e#f").fragment == "d?e#f")
    }

    @Test func `an origin is the same however it is spelled`() {
        #expect(URLParts("HTTPS://API.Example.com:444/V1").origin == "https://api.example.com:444")
        #expect(URLParts("//example.com/x").origin == "")
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h?a=b", "/?a=b"), ("http://h/x#y", "/x"),
        ("http://h/x?a=b#y", "/x?a=b"), ("/x?", "/x?"), ("here", "here"),
    ]) func `a request is sent path and query`(_ text: String, _ target: String) {
        #expect(URLParts(text).requestTarget == target)
    }

    @Test(arguments: [
        ("http://h/a?b#c", "http://h/a"), ("http://h?b", "http://h"), ("http://h", "http://h"),
        ("/a#c", "/a"),
    ]) func `a page is what stands before the query`(_ text: String, _ page: String) {
        #expect(URLParts(text).textBeforeQuery == page)
    }

    @Test func `a query's items stand as they are written`() {
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
    ]) func `what lies below a base is told by whole segments`(
        _ text: String, _ rest: String, _ isBelow: Bool
    ) {
        let found = URLParts(text).suffix(below: "https://h/v1")
        #expect(found.map(String.init) == (isBelow ? rest : nil))
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
    func `a host and a port are told apart`(
        _ text: String, _ host: String, _ port: UInt16?
    ) {
        #expect(URLParts(text).host == host)
        #expect(URLParts(text).port == port)
    }

    @Test func `a name and password are what stands before the last at sign`() {
        #expect(URLParts("http://a@b:c@h/@").userInfo == "a@b:c")
        #expect(URLParts("http://h/@").userInfo == nil)
        #expect(URLParts("http://@h").userInfo == "")
    }

    @Test(arguments: [
        "http://localhost", "https://LOCALHOST:1/x", "http://a.b.localhost",
        "http://127.0.0.1:7070", "http://127.255.0.3", "http://[::1]:1", "http://a@127.0.0.1",
    ]) func `this machine has names of its own`(_ text: String) {
        #expect(URLParts(text).isLoopback)
    }

    @Test(arguments: [
        "http://localhost.example.com", "http://mylocalhost", "http://127.1",
        "http://127.0.0.1.example.com", "http://127.0.0.256", "http://[::2]",
        "http://127.0.0.+1", "http://127.0.0.1@example.com", "http://",
        "/127.0.0.1", "http://128.0.0.1",
    ])
    func `others only look like them`(_ text: String) {
        #expect(!URLParts(text).isLoopback)
    }

    @Test func `only http and https with a host lead to the web`() {
        #expect(URLParts("HTTP://h").isHTTPURL)
        #expect(URLParts("https://h/x").isHTTPURL)
        #expect(!URLParts("ftp://h").isHTTPURL)
        #expect(!URLParts("https:///x").isHTTPURL)
        #expect(!URLParts("https:h").isHTTPURL)
        #expect(!URLParts("//h").isHTTPURL)
    }
}
