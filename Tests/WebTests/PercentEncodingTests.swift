import Testing

@testable import Web

/// RFC 3986, 2.1 to 2.3, and the form encoding beside it.
@Suite(.timeLimit(.minutes(10))) struct PercentEncodingTests {
    @Test func `only the unreserved characters stand as they are`() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("a b/ü?") == "a%20b%2F%C3%BC%3F")
    }

    @Test func `a form writes a space as a plus and a plus as an escape`() {
        #expect(PercentEncoding.encode("a b+c", spaceAsPlus: true) == "a+b%2Bc")
    }

    @Test func `bytes can be escaped in lower case`() {
        #expect(PercentEncoding.encode([0x61, 0xFF], lowerCase: true) == Array("a%ff".utf8))
    }

    @Test func `what was escaped reads back as it was`() {
        let bytes = Array(UInt8.min...UInt8.max)
        let escaped = PercentEncoding.encode(bytes)
        #expect(PercentEncoding.decode(escaped[...]) == bytes)
    }

    @Test(arguments: ["%", "%4", "%zz", "a%2"]) func `a broken escape is no text`(broken: String) {
        #expect(PercentEncoding.decode(Array(broken.utf8)[...]) == nil)
    }
}
