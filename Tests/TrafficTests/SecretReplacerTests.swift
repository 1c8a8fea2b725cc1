import Testing

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct SecretReplacerTests {
    private func replaced(_ pairs: [(String, String)], in text: String) -> String {
        var needles = SecretReplacer()
        for (find, put) in pairs { needles.add(Array(find.utf8), Array(put.utf8)) }
        return String(decoding: needles.replace(in: Array(text.utf8)) ?? [], as: UTF8.self)
    }

    @Test(arguments: [
        ("abc", "X"), ("xabcx", "xXx"), ("abcabc", "XX"), ("ababc", "abX"), ("ab", "ab"),
        ("a", "a"), ("", ""), ("bc abcd", "bc XD"),
    ]) func `each goes wherever it stands`(text: String, out: String) {
        #expect(
            replaced([("abc", "X"), ("d", "no"), ("cd", "no")], in: text)
                == out.replacing("D", with: "d"))
    }

    @Test func `of several at one place the longest goes`() {
        #expect(replaced([("ab", "1"), ("abcd", "2"), ("abc", "3")], in: "abcd ab") == "2 1")
    }

    @Test func `the first to name one is heard`() {
        #expect(replaced([("ab", "1"), ("ab", "2")], in: "ab") == "1")
    }

    @Test func `what is put in is not looked at again`() {
        #expect(replaced([("ab", "abab"), ("ba", "x")], in: "ab") == "abab")
    }

    @Test func `who only wants us to be busy is left alone`() {
        var needles = SecretReplacer()
        for length in 9...1_300 {
            let find = Array(repeating: UInt8(ascii: "a"), count: length)
            needles.add(find + [UInt8(ascii: "b")], [])
        }
        let hay = Array(repeating: UInt8(ascii: "a"), count: 120_000)
        #expect(needles.replace(in: hay) == nil)
    }

    @Test func `thousands are found in one go`() {
        let all = (0..<4_000).map { "secret-number-\($0)." }
        let text = all.joined(separator: " ")
        let out = replaced(all.map { ($0, "!") }, in: text)
        #expect(out == Array(repeating: "!", count: 4_000).joined(separator: " "))
    }
}
