import Core
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConstantTimeTests {
    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "ab", false),
        ("ab\0c", "ab\0d", false), ("", "a", false),
    ]) func `texts are compared by their bytes`(_ a: String, _ b: String, _ isEqual: Bool) {
        #expect(ConstantTime.areEqual(a, b) == isEqual)
    }

    @Test func `canonically equivalent texts are not equal`() {
        #expect(!ConstantTime.areEqual("\u{e9}", "e\u{301}"))
    }
}
