import Testing
import Web

@Suite struct TargetTests {
    @Test(arguments: [
        ("/", "/"), ("/a/b", "/a/b"), ("/%61pi/events", "/api/events"),
        ("//a///b", "/a/b"), ("/a/", "/a/"), ("/a%20b", "/a b"),
        ("/gr%C3%BC%C3%9F", "/grüß"), ("/a?b=/../c", "/a"),
    ])
    func `an address has one spelling`(_ target: String, _ path: String)
        throws
    {
        #expect(try Target(parsing: target).path == path)
    }

    @Test(arguments: [
        "", "a", "http://elsewhere/", "*", "/..", "/a/../b", "/a/%2e%2e/b",
        "/.%2E", "/%", "/%4", "/%zz", "/a%2fb", "/a%5Cb", "/a%00b", "/%ff",
        "/a%0d%0ab", "/.", "/?%zz", "/?a=%ff", "/?a=%00",
    ])
    func `what could mean two things is refused`(_ target: String) {
        #expect(throws: Problem.self) { try Target(parsing: target) }
    }

    @Test func `a target of any length is answered`() {
        let long = "/" + String(repeating: "a", count: 1 << 20)
        #expect(throws: Problem.self) { try Target(parsing: long) }
    }

    @Test func `a query keeps its order and its spaces`() throws {
        let target = try Target(parsing: "/s?q=a+b%2Bc&app=&x")
        #expect(target.query.map(\.name) == ["q", "app", "x"])
        #expect(target.query.map(\.value) == ["a b+c", "", ""])
    }
}
