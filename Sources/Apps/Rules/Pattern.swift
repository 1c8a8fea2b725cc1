/// A regular expression that a whole value must match, compiled at load.
///
/// It reads what ECMAScript and Swift read alike, and means what ECMAScript's
/// `u` flag means: one Unicode scalar is one character, `\s` is its white
/// space. It is matched by following all possibilities at once (Thompson,
/// 1968), so no value takes longer than its length times the pattern's; what
/// needs backtracking (look-around, back-references) is refused at load.
package struct Pattern: Sendable, Equatable {
    /// As the manifest writes it.
    package let source: String
    private let program: PatternProgram

    /// Longer values do not match; no field of a sign-in is longer.
    package static let maxValueLength = 4096
    private static let maxSourceBytes = 4_096

    init(_ source: String) throws(PatternError) {
        self.source = source
        guard source.utf8.count <= Self.maxSourceBytes else {
            throw PatternError(
                detail: "the pattern is longer than \(Self.maxSourceBytes) bytes",
                fix: "Write one rule for each thing that is asked.")
        }
        let node = try PatternParser.parse(source)
        guard node.stepCount < PatternProgram.maxSteps else {
            throw PatternError(
                detail: "the pattern is too large", fix: "Repeat fewer times, or use min and max.")
        }
        program = PatternProgram(node)
    }

    /// Whether the whole of `value` matches.
    package func matches(_ value: String) -> Bool {
        value.utf8.count <= Self.maxValueLength * 4 && program.matches(value.unicodeScalars)
    }

    package static func == (one: Pattern, other: Pattern) -> Bool { one.source == other.source }
}

/// Why a pattern does not compile.
struct PatternError: Error, Equatable {
    var detail: String
    var fix: String
}
