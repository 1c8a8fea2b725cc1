import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct RequestTargetTests {
    @Test(arguments: [
        ("/", "/"), ("/a/b", "/a/b"), ("/%61pi/events", "/api/events"),
        ("//a///b", "/a/b"), ("/a/", "/a/"), ("/a%20b", "/a b"),
        ("/gr%C3%BC%C3%9F", "/grüß"), ("/a?b=/../c", "/a"),
        ("/;/a", "/;/a"), ("/..a;/b", "/..a;/b"), ("/...;", "/...;"),
    ]) func `a target is normalized to one path`(_ target: String, _ path: String) throws {
        #expect(try RequestTarget(parsing: target).path == path)
    }

    @Test(arguments: [
        "", "a", "http://elsewhere/", "*", "/..", "/a/../b", "/a/%2e%2e/b",
        "/.%2E", "/%", "/%4", "/%zz", "/a%2fb", "/a%5Cb", "/a%00b", "/%ff",
        "/a%0d%0ab", "/.", "/a#b", "/a%7F", "/%2e", "/a/%2E./b", "/a\\b",
        "/?%zz", "/?a=%ff", "/?a=%00", "/..;/a", "/a/..;b=c/d", "/.;/a",
        "/%2e%2e%3b/a", "/a/.%2E;", "/a/%2e;x",
    ]) func `an ambiguous target is rejected`(_ target: String) {
        #expect(throws: Problem.self) { try RequestTarget(parsing: target) }
    }

    @Test func `an overlong target is rejected`() {
        let long = "/" + String(repeating: "a", count: 1 << 20)
        #expect(throws: Problem.self) { try RequestTarget(parsing: long) }
    }

    @Test(arguments: [
        ("/?key=a", "/"), ("/a%20b/?key=a&b=c+d", "/a%20b/?b=c%20d"),
        ("//evil.example/?key=a", "/evil.example/"),
    ]) func `a target can be written without one of its query parameters`(
        _ target: String, _ expected: String
    )
        throws
    { #expect(try RequestTarget(parsing: target).pathAndQuery(without: "key") == expected) }

    @Test func `random bytes are rejected, or accepted again in canonical form`() {
        let alphabet = Array("/%.?&=+2e5Cfa\u{0}#ü".utf8)
        var state: UInt64 = 1
        for _ in 0..<2_000 {
            let bytes = (0..<24).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return alphabet[Int(state >> 33) % alphabet.count]
            }
            let text = "/" + String(decoding: bytes, as: UTF8.self)
            guard let target = try? RequestTarget(parsing: text) else { continue }
            // An accepted target is also accepted in its canonical form.
            let canonical = target.pathAndQuery(without: "\u{1}")
            #expect((try? RequestTarget(parsing: canonical)) == target)
        }
    }

    @Test func `query parameters keep their order and their spaces`() throws {
        let target = try RequestTarget(parsing: "/s?q=a+b%2Bc&app=&x")
        #expect(target.query.map(\.name) == ["q", "app", "x"])
        #expect(target.query.map(\.value) == ["a b+c", "", ""])
    }
}
