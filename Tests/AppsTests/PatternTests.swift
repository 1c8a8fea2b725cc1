import Testing

@testable import Apps

@Suite(.timeLimit(.minutes(10))) struct PatternTests {
    private static let mystica = "^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$"
    private static let strict = "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,64}"

    /// What Node's `RegExp` says of Mystica's rule.
    @Test(arguments: [
        ("a@b.c", true), ("rowan@mystica.app", true), ("a@b", false),
        ("a b@c.d", false), ("", false), ("@b.c", false), ("a@.c", false),
        ("a@b.", false), ("a@b.c.d", true), ("a@@b.c", false),
        ("a@b.c@d.e", false), ("ü@ñ.日本", true), (" a@b.c", false),
        ("a@b.c\n", false), ("a\u{A0}b@c.d", false), ("a\u{FEFF}@c.d", false),
        ("a\u{85}b@c.d", true), ("a@b..c", true), ("😀@b.c", true), ("e\u{301}@b.c", true),
        ("a@b\u{2028}.c", false),
    ]) func `Mystica's address is ECMAScript's`(value: String, matches: Bool) throws {
        #expect(try Pattern(Self.mystica).matches(value) == matches)
    }

    @Test(arguments: [
        ("test@example.com", true), ("user.name@domain.co.uk", true),
        ("user+tag@example.org", true), ("a@b..co", true), ("invalid", false),
        ("@example.com", false), ("user@", false), ("a@b.c", false), ("x test@example.com", false),
    ]) func `the stricter address of the other apps`(value: String, matches: Bool) throws {
        #expect(try Pattern(Self.strict).matches(value) == matches)
    }

    @Test(arguments: [
        ("a|bc", "bc", true), ("a|bc", "b", false), ("(?:ab)+", "abab", true),
        ("(ab)*", "", true), ("a?b", "b", true), ("a{2}", "aa", true),
        ("a{2}", "aaa", false), ("a{2,}", "aaaa", true),
        ("a{1,2}", "aaa", false),
        ("a{0}", "", true), ("a{0}", "a", false), (".", "\n", false),
        (".", "😀", true), ("[^a-c]", "d", true), ("[^a-c]", "b", false),
        ("\\d{6}", "012345", true), ("\\d{6}", "０12345", false),
        ("[\\d\\-]+", "1-2", true), ("[\\W]", "a", false), ("[\\W]", "-", true),
        ("[\\D]", "é", true), (".*[A-Z].*", "passWord", true),
        ("\\bfoo\\b", "foo", true), ("a\\Bb", "ab", true),
        ("a\\bb", "ab", false),
        ("a+?", "aaa", true), ("\\u0041\\x42\\u{1F600}", "AB😀", true),
        ("\\.\\/\\*", "./*", true), ("[]", "a", false), ("[^]", "\n", true),
        ("", "", true), ("", "a", false), ("a$b", "ab", false),
        ("[-a]", "-", true), ("[a-]", "-", true), ("[.$]", "$", true),
        ("(a|)b", "b", true), ("\\0", "\0", true),
    ]) func `means what ECMAScript means`(pattern: String, value: String, matches: Bool) throws {
        #expect(try Pattern(pattern).matches(value) == matches)
    }

    @Test(arguments: ["(a+)+b", "(a|a)*b", "(a|aa)+b", "(.*)*x", "([a-z]+)*@"])
    func `what ruins a backtracking matcher ends at once`(pattern: String) throws {
        // A backtracking matcher would take 2 to the 4000th steps.
        let value = String(repeating: "a", count: 4000) + "!"
        #expect(try !Pattern(pattern).matches(value))
    }

    @Test func `a value longer than any field's does not match`() throws {
        let pattern = try Pattern("a*")
        #expect(pattern.matches(String(repeating: "a", count: 4096)))
        #expect(!pattern.matches(String(repeating: "a", count: 40_000)))
    }

    @Test(arguments: [
        "(", ")", "[", "a{", "a{2", "a{3,2}", "*", "a**", "\\", "\\q", "\\1", "(?<n>a)", "(?!a)",
        "(?<=a)b", "[b-a]", "\\x4", "\\u12", "a{9999}", "]",
        String(repeating: "(", count: 100) + String(repeating: ")", count: 100),
    ]) func `what it does not know is refused at load`(pattern: String) {
        #expect(throws: PatternError.self) { try Pattern(pattern) }
    }
}
