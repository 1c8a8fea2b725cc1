import Testing

@testable import Web

/// RFC 4648, 5, as JOSE uses it: without padding (RFC 7515, 2).
@Suite(.timeLimit(.minutes(10))) struct Base64URLTests {
    @Test func `bytes are written without padding in the URL's alphabet`() {
        #expect(Base64URL.encode([0xFB, 0xFF, 0xFE]) == "-__-")
        #expect(Base64URL.encode([0x61]) == "YQ")
        #expect(Base64URL.encode([]) == "")
    }

    @Test(arguments: 0..<9) func `every length reads back as it was`(count: Int) {
        let bytes = (0..<count).map { UInt8(250 - $0 * 3) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test(arguments: ["a", "a*bc", "YQ==YQ"]) func `what is none is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
