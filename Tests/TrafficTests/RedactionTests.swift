import Support
import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct RedactionTests {
    private static let password = #"pa"ss w/örd&1"#

    @Test(arguments: [
        #"{"password":"pa\"ss w/örd&1"}"#,
        #"{"password":"pa\"ss w\/örd&1"}"#,
        "password=pa%22ss%20w%2F%C3%B6rd%261&x=1",
        "password=pa%22ss+w%2F%C3%B6rd%261",
        "password=pa%22ss+w%2f%c3%b6rd%261",
        #"raw pa"ss w/örd&1 in a sentence"#,
        "cGEic3Mgdy/DtnJkJjE=",
        "cGEic3Mgdy_DtnJkJjE",
        #"{"value":"pa\"ss w/\u00f6rd&1"}"#,
        #"{"value":"pa\"ss w/\u00F6rd\u00261"}"#,
        "<p>pa&quot;ss w/örd&amp;1</p>",
    ])
    func `a password is redacted in every encoding`(_ text: String) {
        var redaction = Redaction(passwords: [Self.password], tokens: [])
        let clean = redaction.redact(text)
        #expect(clean.contains("‹password›"))
        #expect(!clean.contains("rd&1") && !clean.contains("rd%261"))
        #expect(!clean.contains("rd&amp;1"))
        #expect(!clean.contains("cGEic3M"))
    }

    @Test(arguments: [
        "password=hunter*2%26x!~", "password=hunter%2A2%26x%21%7E",
        "password=%68unter%2a2&x!~", #"{"p":"hunter\u002A2\u0026x!~"}"#,
        #"{"p":"\u0068unter*2\u0026x\u0021~"}"#, "?p=hunter*2%26x!%7e#a",
    ])
    func `a secret is redacted in every escaped form`(_ text: String) {
        let secret = "hunter*2&x!~"
        var passwords = Redaction(passwords: [secret], tokens: [])
        #expect(!passwords.redact(text).contains("unter"))
        var tokens = Redaction(passwords: [], tokens: [secret])
        #expect(!tokens.redact(text).contains("unter"))
        #expect(tokens.redact(text).contains("‹token:0›"))
    }

    @Test func `escapes around a secret stay unchanged`() {
        var redaction = Redaction(passwords: ["se+cret"], tokens: [])
        #expect(
            redaction.redact(#"{"a":"\ud83d\ude00\n","p":"se\u002bcret","b":"\q"}"#)
                == #"{"a":"\ud83d\ude00\n","p":"‹password›","b":"\q"}"#)
        #expect(redaction.redact("a=%F0%9F&p=se%2bcret&b=%zz+%") == "a=%F0%9F&p=‹password›&b=%zz+%")
    }

    @Test func `a short password is redacted only as a complete value`() {
        var redaction = Redaction(passwords: ["a"], tokens: [])
        #expect(
            redaction.redact(#"{"password":"a","name":"anna"}"#)
                == #"{"password":"‹password›","name":"anna"}"#)
    }

    @Test(arguments: [
        ("email=a%40b.c&pin=123", "email=a%40b.c&pin=‹password›"),
        ("http://a.b/c?pin=123#x", "http://a.b/c?pin=‹password›#x"),
        (#"{"pin":123}"#, #"{"pin":‹password›}"#),
        (#"{"pin": 123, "n": 1234}"#, #"{"pin": ‹password›, "n": 1234}"#),
        ("\r\n\r\n123\r\n--mark", "\r\n\r\n‹password›\r\n--mark"),
    ]) func `a short password is redacted at an end, as a number and in a part`(
        text: String, clean: String
    ) {
        var redaction = Redaction(passwords: ["123"], tokens: [])
        #expect(redaction.redact(text) == clean)
    }

    @Test func `a body that would take too long to redact is not stored`() {
        let tokens = (9...1_300).map { String(repeating: "a", count: $0) + "b" }
        var redaction = Redaction(passwords: [], tokens: tokens)
        let clean = redaction.redact(String(repeating: "a", count: 120_000))
        #expect(clean.hasPrefix("‹not stored: "))
    }

    @Test func `a token that occurs twice gets one number`() {
        var redaction = Redaction(passwords: [], tokens: ["rt_secretvalue"])
        #expect(redaction.redact("rt_secretvalue and rt_secretvalue") == "‹token:0› and ‹token:0›")
        #expect(redaction.tokens.count == 1)
    }

    @Test func `a JWT that is not listed as a token is redacted`() {
        var redaction = Redaction(passwords: [], tokens: [])
        let clean = redaction.redact(#"{"t":"eyJhbGciOi.eyJzdWIi.c2ln","n":1}"#)
        #expect(clean == #"{"t":"‹token:0›","n":1}"#)
    }

    @Test func `text that only begins like a JWT stays unchanged`() {
        var redaction = Redaction(passwords: [], tokens: [])
        #expect(redaction.redact("eyJ and eyJabc.def") == "eyJ and eyJabc.def")
    }

    @Test(arguments: [
        ("Authorization", "Bearer opaque-token-1", "Bearer ‹token:0›"),
        ("authorization", "Basic dXNlcjpwYXNz", "Basic ‹password›"),
        ("Authorization", "loose", "‹token:0›"),
        ("Cookie", "a=1secret; b=2secret", "a=‹token:0›; b=‹token:1›"),
        ("Set-Cookie", "sid=abcdef; Path=/; HttpOnly", "sid=‹token:0›; Path=/; HttpOnly"),
        ("apikey", "sb_anon_123", "‹token:0›"), ("Accept", "application/json", "application/json"),
    ]) func `credentials in headers are redacted completely`(
        _ name: String, _ value: String, _ clean: String
    ) {
        var redaction = Redaction(passwords: [], tokens: [])
        #expect(redaction.redact(header: name, value) == clean)
    }

    @Test func `of many tokens 256 are stored and all are redacted`() {
        var redaction = Redaction(passwords: [], tokens: [])
        let flood = (0..<20_000).map { "eyJ\($0).a.b" }
        let clean = redaction.redact(flood.joined(separator: " "))
        #expect(redaction.tokens.count == 256)
        #expect(!clean.contains("eyJ"))
        #expect(clean.hasSuffix("‹token›"))
    }

    @Test(arguments: [
        ("a ‹token:0› b ‹token:1›", "a zero b ‹token:0›"),
        ("‹token:2› ‹token:› ‹token:0", "‹token:2› ‹token:› ‹token:0"),
        ("‹token:99999999999999999999› ‹token:0›", "‹token:99999999999999999999› zero"),
        ("‹‹token:0››", "‹zero›"), ("", ""),
    ]) func `placeholders are filled once and in a single pass`(_ text: String, _ filled: String) {
        #expect(Redaction.fillPlaceholders(text, with: ["zero", "‹token:0›"]) == filled)
    }

    @Test func `eliding replaces token placeholders with an ellipsis`() {
        #expect(
            Exchange.elidingTokens("/user?key=‹token:2›&p=‹password›") == "/user?key=…&p=‹password›"
        )
    }

    // MARK: Random cases

    /// Escapes the characters of `text` that require it, and others at random, as JSON or a form.
    private func escaped(_ text: String, asForm: Bool, _ fuzz: inout Fuzz) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            let isRequired =
                asForm
                ? "&=+%# ".unicodeScalars.contains(scalar) : "\"\\".contains(Character(scalar))
            guard isRequired || fuzz.chance(oneIn: 3) else {
                result.unicodeScalars.append(scalar)
                return
            }
            for unit in String(scalar).utf8 where asForm {
                let hex = String(unit, radix: 16, uppercase: fuzz.chance(oneIn: 2))
                result += "%" + (hex.count < 2 ? "0" : "") + hex
            }
            for unit in String(scalar).utf16 where !asForm {
                let hex = String(unit, radix: 16, uppercase: fuzz.chance(oneIn: 2))
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            }
        }
    }

    @Test func `no escaped secret remains and a second redaction changes nothing`() async {
        let letters = ["Q", "7", "_", "*", "!", "/", "+", "&", "=", "\"", "\\", " ", "é", "😀", "<"]
        await Cases("secrets").check(oneIn: 1) { fuzz in
            // Markers around each secret, so that the surrounding text never matches one.
            let password = "QX" + fuzz.text(of: letters, upTo: 8) + "XQ"
            let token = "ZY" + fuzz.text(of: letters, upTo: 8) + "YZ"
            var text = ""
            let asForm = fuzz.chance(oneIn: 2)
            for _ in 0..<1 + fuzz.number(below: 5) {
                let secret = fuzz.one(of: [password, token])
                let encoded = escaped(secret, asForm: asForm, &fuzz)
                text += asForm ? "&a=\(encoded)" : ",\"a\":\"\(encoded)\""
            }
            var redaction = Redaction(passwords: [password], tokens: [token])
            let clean = redaction.redact(asForm ? text : "{\(text.dropFirst())}")
            let values: [String]
            if asForm {
                values = Form.parseLeniently(clean[...]).map(\.value)
            } else {
                guard
                    case .object(let members) = try JSONReader.read(
                        Array(clean.utf8), keepsDuplicateNames: true)
                else {
                    return false
                }
                values = members.compactMap(\.value.string)
            }
            for value in values { try #require(Redaction.isPlaceholder(value), "\(text) \(clean)") }
            try #require(redaction.redact(clean) == clean)
            for found in redaction.tokens { try #require(found == Array(token.utf8)) }
            return true
        }
    }
}
