import Core
import Testing

@testable import Core

/// RFC 4648, 5, as JOSE uses it: without padding (RFC 7515, 2).
@Suite(.timeLimit(.minutes(10))) struct Base64URLTests {
    @Test func `bytes are encoded without padding in the URL-safe alphabet`() {
        #expect(Base64URL.encode([0xFB, 0xFF, 0xFE]) == "-__-")
        #expect(Base64URL.encode([0x61]) == "YQ")
        #expect(Base64URL.encode([]) == "")
    }

    @Test(arguments: 0..<9) func `bytes of any length survive encoding and decoding`(count: Int) {
        let bytes = (0..<count).map { UInt8(250 - $0 * 3) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test(arguments: ["a", "a*bc", "YQ==YQ"]) func `invalid base64url text is rejected`(
        text: String
    ) {
        #expect(Base64URL.decode(text) == nil)
    }
}
