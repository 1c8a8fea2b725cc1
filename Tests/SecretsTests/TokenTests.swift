import Testing

@testable import Secrets

@Suite(.timeLimit(.minutes(10))) struct TokenTests {
    @Test func `a token is taken apart without a key`() {
        let token = Token(decoding: Vectors.hs256Token)
        #expect(token.isJWT)
        #expect(token.header == "{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}")
        #expect(token.claims?.contains("is_root\":true") == true)
        #expect(token.algorithm == "HS256")
        #expect(token.type == "JWT")
        #expect(token.keyID == nil)
        #expect(token.issuer == "joe")
        #expect(token.expiresAt == 1_300_819_380)
        #expect(token.issuedAt == nil)
    }

    static let opaque = [
        "", ".", "..", "...", "v1.abcdef", "a.b.c", "5f4dcc3b5aa765d61d8327deb882cf99",
        String(Vectors.hs256Token.dropLast(60)).replacing(".", with: ""),
        // Two parts, four parts, a header that is no object, no base 64.
        "eyJhbGciOiJub25lIn0.e30", Vectors.hs256Token + ".e30",
        "\"text\"".base64URL + ".e30.", "[]".base64URL + ".e30.",
        "eyJhbGciOiJub25lIn0=.e30.", "eyJhbGciOiJub25lIn0.e30.\u{0}",
        "eyJhbGciOiJub25lIn0\u{0}.e30.", "e30.e30.ü", "e30.e3.", "e30.e30. ",
        "{\"a\":\"\u{0}".base64URL + ".e30.", Vectors.edDSAToken,
        String(repeating: "A", count: 1 << 20) + ".e30.", String(repeating: ".", count: 1 << 20),
        String(repeating: "[", count: 1 << 16).base64URL + ".e30.",
    ]

    @Test(arguments: opaque) func `what is no token is opaque and nothing worse`(_ text: String) {
        let token = Token(decoding: text)
        #expect(!token.isJWT)
        #expect(token == Token(decoding: ""))
    }

    @Test(
        arguments: [
            ("1700000000", 1_700_000_000), ("1700000000.9", 1_700_000_000),
            ("-5", -5), ("\"1700000000\"", nil), ("null", nil), ("[1]", nil),
            ("1e300", nil), ("123456789012345678901234567890", nil),
        ] as [(String, Int64?)])
    func `times are whole seconds`(_ text: String, _ seconds: Int64?) {
        let claims = "{\"exp\":\(text),\"sub\":7}"
        let token = Token(decoding: "e30." + claims.base64URL + ".")
        #expect(token.claims == claims)
        #expect(token.expiresAt == seconds)
        #expect(token.subject == nil)
    }

    @Test func `text in claims is whole, with signs and escapes`() {
        let claims = #"{"sub":"Zoë \u0000 \ud83d\ude00","iss":"\"\\"}"#
        let token = Token(decoding: "e30." + claims.base64URL + ".")
        #expect(token.subject == "Zoë \u{0} 😀")
        #expect(token.issuer == "\"\\")
    }

    @Test(arguments: [
        ("", "…"), ("ab", "…"), ("hunte", "…"), ("hunter", "…er"),
        ("123456789012345", "…45"), ("1234567890123456", "123456…3456"),
        (Vectors.unsecured + "x9Qw", "eyJhbG…x9Qw"),
    ])
    func `a masked value shows its ends`(_ text: String, _ shown: String) {
        #expect(Token.masked(text) == shown)
    }

    @Test func `a masked value never shows more than ten characters`() {
        // One grapheme of many scalars, and long ones of all lengths.
        let family = String(repeating: "👩‍👩‍👧‍👦", count: 20)
        let stacked = "e" + String(repeating: "\u{301}", count: 500)
        for text in [family, stacked] + (0..<40).map({ String(repeating: "s", count: $0) }) {
            let shown = Token.masked(text).unicodeScalars.filter { $0 != "…" }
            #expect(shown.count <= 10)
            #expect(shown.count * 3 <= max(text.unicodeScalars.count * 2, 1))
        }
    }
}
