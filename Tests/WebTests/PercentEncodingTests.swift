import Testing

@testable import Web

/// RFC 3986, 2.1 to 2.3, and form encoding.
@Suite(.timeLimit(.minutes(10))) struct PercentEncodingTests {
    @Test func `only unreserved characters are left unescaped`() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("a b/ü?") == "a%20b%2F%C3%BC%3F")
    }

    @Test func `form encoding writes a space as a plus and escapes a plus`() {
        #expect(PercentEncoding.encode("a b+c", spaceAsPlus: true) == "a+b%2Bc")
    }

    @Test func `bytes can be escaped in lower case`() {
        #expect(PercentEncoding.encode([0x61, 0xFF], lowerCase: true) == Array("a%ff".utf8))
    }

    @Test func `escaped bytes decode to the same bytes`() {
        let bytes = Array(UInt8.min...UInt8.max)
        let escaped = PercentEncoding.encode(bytes)
        #expect(PercentEncoding.decode(escaped[...]) == bytes)
    }

    @Test(arguments: ["%", "%4", "%zz", "a%2"]) func `a malformed escape does not decode`(
        malformed: String
    ) {
        #expect(PercentEncoding.decode(Array(malformed.utf8)[...]) == nil)
    }
}
