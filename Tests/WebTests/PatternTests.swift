import Testing

@testable import Web

@Suite(.timeLimit(.minutes(10))) struct PatternTests {
    private static let mysticaEmail = "^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$"
    private static let strictEmail = "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,64}"

    /// The expected results are those of Node's `RegExp` for Mystica's rule.
    @Test(arguments: [
        ("a@b.c", true), ("rowan@mystica.app", true), ("a@b", false),
        ("a b@c.d", false), ("", false), ("@b.c", false), ("a@.c", false),
        ("a@b.", false), ("a@b.c.d", true), ("a@@b.c", false),
        ("a@b.c@d.e", false), ("ü@ñ.日本", true), (" a@b.c", false),
        ("a@b.c\n", false), ("a\u{A0}b@c.d", false), ("a\u{FEFF}@c.d", false),
        ("a\u{85}b@c.d", true), ("a@b..c", true), ("😀@b.c", true), ("e\u{301}@b.c", true),
        ("a@b\u{2028}.c", false),
    ]) func `Mystica's email pattern matches as in ECMAScript`(value: String, matches: Bool) throws
    {
        #expect(try Pattern(Self.mysticaEmail).matches(value) == matches)
    }

    @Test(arguments: [
        ("test@example.com", true), ("user.name@domain.co.uk", true),
        ("user+tag@example.org", true), ("a@b..co", true), ("invalid", false),
        ("@example.com", false), ("user@", false), ("a@b.c", false), ("x test@example.com", false),
    ]) func `the other apps' email pattern is stricter`(value: String, matches: Bool) throws {
        #expect(try Pattern(Self.strictEmail).matches(value) == matches)
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
    ]) func `a pattern matches as in ECMAScript`(pattern: String, value: String, matches: Bool)
        throws
    {
        #expect(try Pattern(pattern).matches(value) == matches)
    }

    @Test(arguments: ["(a+)+b", "(a|a)*b", "(a|aa)+b", "(.*)*x", "([a-z]+)*@"])
    func `a pattern with catastrophic backtracking is matched quickly`(pattern: String) throws {
        // A backtracking matcher would take 2 to the 4000th steps.
        let value = String(repeating: "a", count: 4000) + "!"
        #expect(try !Pattern(pattern).matches(value))
    }

    @Test func `a value longer than any field allows does not match`() throws {
        let pattern = try Pattern("a*")
        #expect(pattern.matches(String(repeating: "a", count: 4096)))
        #expect(!pattern.matches(String(repeating: "a", count: 40_000)))
    }

    @Test(arguments: [
        "(", ")", "[", "a{", "a{2", "a{3,2}", "*", "a**", "\\", "\\q", "\\1", "(?<n>a)", "(?!a)",
        "(?<=a)b", "[b-a]", "\\x4", "\\u12", "a{9999}", "]",
        String(repeating: "(", count: 100) + String(repeating: ")", count: 100),
    ]) func `unsupported or malformed syntax is refused`(pattern: String) {
        #expect(throws: PatternError.self) { try Pattern(pattern) }
    }
}
