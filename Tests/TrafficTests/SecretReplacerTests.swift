import Testing

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct SecretReplacerTests {
    private func replaced(_ pairs: [(String, String)], in text: String) -> String {
        var replacer = SecretReplacer()
        for (secret, replacement) in pairs {
            replacer.add(Array(secret.utf8), Array(replacement.utf8))
        }
        return String(decoding: replacer.replace(in: Array(text.utf8)) ?? [], as: UTF8.self)
    }

    @Test(arguments: [
        ("abc", "X"), ("xabcx", "xXx"), ("abcabc", "XX"), ("ababc", "abX"), ("ab", "ab"),
        ("a", "a"), ("", ""), ("bc abcd", "bc XD"),
    ]) func `every occurrence is replaced`(text: String, out: String) {
        #expect(
            replaced([("abc", "X"), ("d", "no"), ("cd", "no")], in: text)
                == out.replacing("D", with: "d"))
    }

    @Test func `the longest of several matches at one position is replaced`() {
        #expect(replaced([("ab", "1"), ("abcd", "2"), ("abc", "3")], in: "abcd ab") == "2 1")
    }

    @Test func `the first replacement added for a secret applies`() {
        #expect(replaced([("ab", "1"), ("ab", "2")], in: "ab") == "1")
    }

    @Test func `a replacement is not searched again`() {
        #expect(replaced([("ab", "abab"), ("ba", "x")], in: "ab") == "abab")
    }

    @Test func `a replacement that would take too long returns nil`() {
        var replacer = SecretReplacer()
        for length in 9...1_300 {
            let prefix = Array(repeating: UInt8(ascii: "a"), count: length)
            replacer.add(prefix + [UInt8(ascii: "b")], [])
        }
        let text = Array(repeating: UInt8(ascii: "a"), count: 120_000)
        #expect(replacer.replace(in: text) == nil)
    }

    @Test func `thousands of secrets are replaced in one pass`() {
        let all = (0..<4_000).map { "secret-number-\($0)." }
        let text = all.joined(separator: " ")
        let out = replaced(all.map { ($0, "!") }, in: text)
        #expect(out == Array(repeating: "!", count: 4_000).joined(separator: " "))
    }
}
