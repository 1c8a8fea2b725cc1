import FoundationEssentials
import Support
import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(10))) struct TokenTests {
    @Test func `a token is decoded without a key`() {
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
        // Two parts, four parts, a header that is not an object, invalid base64.
        "eyJhbGciOiJub25lIn0.e30", Vectors.hs256Token + ".e30",
        "\"text\"".base64URL + ".e30.", "[]".base64URL + ".e30.",
        "eyJhbGciOiJub25lIn0=.e30.", "eyJhbGciOiJub25lIn0.e30.\u{0}",
        "eyJhbGciOiJub25lIn0\u{0}.e30.", "e30.e30.ü", "e30.e3.", "e30.e30. ",
        "{\"a\":\"\u{0}".base64URL + ".e30.", Vectors.edDSAToken,
        String(repeating: "A", count: 1 << 20) + ".e30.", String(repeating: ".", count: 1 << 20),
        String(repeating: "[", count: 1 << 16).base64URL + ".e30.",
    ]

    @Test(arguments: opaque) func `text that is not a JWT is opaque`(_ text: String) {
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

    @Test func `text in claims is decoded completely, with symbols and escapes`() {
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
    func `a masked value shows only its ends`(_ text: String, _ shown: String) {
        #expect(Token.masked(text) == shown)
    }

    @Test func `a masked value never shows more than ten characters`() {
        // One grapheme of many scalars, and texts of all lengths.
        let family = String(repeating: "👩‍👩‍👧‍👦", count: 20)
        let stacked = "e" + String(repeating: "\u{301}", count: 500)
        for text in [family, stacked] + (0..<40).map({ String(repeating: "s", count: $0) }) {
            let shown = Token.masked(text).unicodeScalars.filter { $0 != "…" }
            #expect(shown.count <= 10)
            #expect(shown.count * 3 <= max(text.unicodeScalars.count * 2, 1))
        }
    }

    // MARK: Randomized

    private struct TokenFields: Codable, Equatable {
        var sub: String
        var iss: String?
        var exp: Int64?
        var kid: String?
        var alg: String?
    }

    private func randomFields(_ fuzz: inout Fuzz) -> TokenFields {
        func optionalText(_ fuzz: inout Fuzz) -> String? {
            fuzz.chance(oneIn: 3) ? nil : fuzz.text(of: Fuzz.signs + ["\0"], upTo: 5)
        }
        return TokenFields(
            sub: optionalText(&fuzz) ?? "", iss: optionalText(&fuzz),
            exp: fuzz.chance(oneIn: 3) ? nil : Int64(fuzz.number(below: 1 << 52)),
            kid: optionalText(&fuzz), alg: optionalText(&fuzz))
    }

    private func json(_ value: TokenFields) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    @Test func `random headers and claims are read from a token unchanged`() async {
        await Cases("tokens that are read").check(oneIn: 1) { fuzz in
            let (header, claims) = (randomFields(&fuzz), randomFields(&fuzz))
            let (headerText, claimsText) = (try json(header), try json(claims))
            let parts = [headerText.base64URL, claimsText.base64URL, fuzz.one(of: ["", "c2ln"])]
            let token = Token(decoding: parts.joined(separator: "."))
            try #require(token.header == headerText && token.claims == claimsText)
            try #require(token.keyID == header.kid && token.algorithm == header.alg)
            try #require(token.subject == claims.sub && token.issuer == claims.iss)
            try #require(token.expiresAt == claims.exp)
            return true
        }
    }

    @Test func `a damaged token is opaque or not verified`() async throws {
        let key = try SigningKey.generate(.hs256, keyID: "k")
        let keys = try KeySet([key])
        await Cases("tokens that are changed").check(oneIn: 30) { fuzz in
            let signed = try key.sign(claims: try json(randomFields(&fuzz)))
            let damaged = String(decoding: fuzz.damaged(signed), as: UTF8.self)
            let token = Token(decoding: damaged)
            try #require(token.isJWT == (keys.verify(damaged) != .opaque))
            if case .verified = keys.verify(damaged) {
                // The last character of a signature has unused bits.
                try #require(damaged.dropLast() == signed.dropLast(), "\(damaged)")
            }
            guard token.isJWT else { return false }
            let parts = damaged.split(separator: ".", omittingEmptySubsequences: false)
            try #require(parts.count == 3)
            for (part, text) in zip(parts, [token.header, token.claims]) {
                let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
                let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
                let decoded = try #require(Data(base64Encoded: base64 + padding))
                try #require(text.map { Data($0.utf8) } == decoded)
            }
            return true
        }
    }
}
