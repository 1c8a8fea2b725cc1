import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(10))) struct TOTPTests {
    private static let secret = Array("12345678901234567890".utf8)

    @Test(
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Int64, String)])
    func `codes match RFC 6238, appendix B`(seconds: Int64, code: String) {
        let step = seconds / TOTP.period
        #expect(TOTP.code(of: Self.secret, step: step, digits: 8) == code)
        #expect(TOTP.code(of: Self.secret, step: step) == String(code.suffix(6)))
    }

    @Test func `a code is accepted one step early and late`() {
        let code = TOTP.code(of: Self.secret, step: 100)
        let steps = [2_969, 2_970, 3_029, 3_059, 3_060].map { seconds in
            TOTP.step(of: code, secret: Self.secret, at: seconds)
        }
        #expect(steps == [nil, 100, 100, 100, nil])
        #expect(TOTP.step(of: "", secret: Self.secret, at: 3_000) == nil)
    }

    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
        ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
    ])
    func `base 32 matches RFC 4648, section 10`(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        #expect(Base32.decode(encoded) == Array(text.utf8))
        #expect(Base32.decode(encoded.lowercased() + "===") == Array(text.utf8))
        #expect(Base32.decode(encoded + "1") == nil)
    }
}
