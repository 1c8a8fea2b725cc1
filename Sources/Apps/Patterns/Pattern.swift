/// A regular expression that must match an entire value, compiled at load.
///
/// It accepts the syntax that ECMAScript and Swift share, with the meaning of ECMAScript's `u`
/// flag: one Unicode scalar is one character, `\s` is ECMAScript's white space. All alternatives
/// are followed at once (Thompson, 1968), so matching takes at most the value's length times the
/// pattern's; what needs backtracking (look-around, back-references) is refused at load.
package struct Pattern: Sendable, Equatable {
    /// As written in the manifest.
    package let source: String
    private let program: PatternProgram

    /// Longer values do not match; no sign-in field is longer.
    package static let maxValueLength = 4096
    private static let maxSourceBytes = 4_096

    init(_ source: String) throws(PatternError) {
        self.source = source
        guard source.utf8.count <= Self.maxSourceBytes else {
            throw PatternError(
                detail: "Pattern longer than \(Self.maxSourceBytes) bytes",
                fix: "Write one rule per requirement.")
        }
        let node = try PatternParser.parse(source)
        guard node.stepCount < PatternProgram.maxSteps else {
            throw PatternError(
                detail: "Pattern too large", fix: "Repeat fewer times, or use min and max.")
        }
        program = PatternProgram(node)
    }

    /// Whether all of `value` matches.
    package func matches(_ value: String) -> Bool {
        value.utf8.count <= Self.maxValueLength * 4 && program.matches(value.unicodeScalars)
    }

    package static func == (lhs: Pattern, rhs: Pattern) -> Bool { lhs.source == rhs.source }
}

/// Why a pattern does not compile.
struct PatternError: Error, Equatable {
    var detail: String
    var fix: String
}
