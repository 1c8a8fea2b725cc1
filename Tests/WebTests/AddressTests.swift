import Testing
import Web

/// What comes of cutting a URL up, by the examples and the rules of RFC 3986.
@Suite(.timeLimit(.minutes(10))) struct AddressTests {
    @Test func `a URL is cut into its five parts`() {
        let address = Address("foo://example.com:8042/over/there?name=f#nose")
        #expect(address.scheme == "foo")
        #expect(address.authority == "example.com:8042")
        #expect(address.path == "/over/there")
        #expect(address.query == "name=f")
        #expect(address.fragment == "nose")
    }

    @Test func `a scheme needs no authority`() {
        let address = Address("urn:example:animal:ferret:nose")
        #expect(address.scheme == "urn")
        #expect(address.authority == nil)
        #expect(address.path == "example:animal:ferret:nose")
        #expect(address.origin == "")
    }

    @Test(arguments: ["/a:b", "a/b://c", "?next=https://x.org", "1a://b", "://a"])
    func `what begins otherwise has no scheme`(_ text: String) {
        #expect(Address(text).scheme == nil)
        #expect(Address(text).authority == nil)
    }

    @Test func `what is not there is nil, what is empty is empty`() {
        let bare = Address("")
        #expect(bare.scheme == nil && bare.authority == nil)
        #expect(bare.path == "" && bare.query == nil && bare.fragment == nil)
        let empty = Address("https://?#")
        #expect(empty.authority == "" && empty.query == "")
        #expect(empty.fragment == "" && empty.host == "" && !empty.isWeb)
    }

    @Test func `a question mark may stand in a query and in a fragment`() {
        #expect(Address("/a?b?c#d?e#f").query == "b?c")
        #expect(Address("/a?b?c#d?e#f").fragment == "d?e#f")
    }

    @Test func `an origin is the same however it is spelled`() {
        #expect(Address("HTTPS://API.Example.com:444/V1").origin == "https://api.example.com:444")
        #expect(Address("//example.com/x").origin == "")
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h?a=b", "/?a=b"), ("http://h/x#y", "/x"),
        ("http://h/x?a=b#y", "/x?a=b"), ("/x?", "/x?"), ("here", "here"),
    ]) func `a request is sent path and query`(_ text: String, _ target: String) {
        #expect(Address(text).target == target)
    }

    @Test(arguments: [
        ("http://h/a?b#c", "http://h/a"), ("http://h?b", "http://h"), ("http://h", "http://h"),
        ("/a#c", "/a"),
    ]) func `a page is what stands before the query`(_ text: String, _ page: String) {
        #expect(Address(text).page == page)
    }

    @Test func `a query's items stand as they are written`() {
        let items = Address("/x?a=1&b&=2&a=%20=+&&c=#d=3").items
        #expect(items.map(\.name) == ["a", "b", "", "a", "c"])
        #expect(items.map(\.value) == ["1", "", "2", "%20=+", ""])
        #expect(Address("/x").items.isEmpty)
    }

    @Test(arguments: [
        ("https://h/v1", "", true), ("https://h/v1/me?x", "/me?x", true),
        ("https://h/v1?x", "?x", true), ("https://h/v1#x", "#x", true),
        ("https://h/v10/me", "", false), ("https://h/v", "", false),
        ("https://h.org/v1", "", false),
    ]) func `what lies below a base is told by whole segments`(
        _ text: String, _ rest: String, _ isBelow: Bool
    ) {
        let found = Address(text).rest(below: "https://h/v1")
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
        #expect(Address(text).host == host)
        #expect(Address(text).port == port)
    }

    @Test func `a name and password are what stands before the last at sign`() {
        #expect(Address("http://a@b:c@h/@").userInfo == "a@b:c")
        #expect(Address("http://h/@").userInfo == nil)
        #expect(Address("http://@h").userInfo == "")
    }

    @Test(arguments: [
        "http://localhost", "https://LOCALHOST:1/x", "http://a.b.localhost",
        "http://127.0.0.1:7070", "http://127.255.0.3", "http://[::1]:1", "http://a@127.0.0.1",
    ]) func `this machine has names of its own`(_ text: String) {
        #expect(Address(text).isLoopback)
    }

    @Test(arguments: [
        "http://localhost.example.com", "http://mylocalhost", "http://127.1",
        "http://127.0.0.1.example.com", "http://127.0.0.256", "http://[::2]",
        "http://127.0.0.+1", "http://127.0.0.1@example.com", "http://",
        "/127.0.0.1", "http://128.0.0.1",
    ])
    func `others only look like them`(_ text: String) {
        #expect(!Address(text).isLoopback)
    }

    @Test func `only http and https with a host lead to the web`() {
        #expect(Address("HTTP://h").isWeb)
        #expect(Address("https://h/x").isWeb)
        #expect(!Address("ftp://h").isWeb)
        #expect(!Address("https:///x").isWeb)
        #expect(!Address("https:h").isWeb)
        #expect(!Address("//h").isWeb)
    }
}
