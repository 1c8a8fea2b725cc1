/// A parsed style sheet: its rules and declarations, each with its position in the file.
///
/// It understands what CSS Syntax Level 3 calls qualified rules, nested rules, at-rules with rules
/// in them (`@media`, `@supports`, `@layer`, `@container`), comments, strings and brackets. Other
/// at-rules (`@font-face`, `@keyframes` …) are skipped. The bytes are stored, so that a value can
/// be replaced without any other change.
package struct StyleSheet: Sendable, Equatable {
    let bytes: [UInt8]
    /// Style rules in source order, including those inside at-rules.
    let rules: [Rule]
    /// The URLs of `@import` rules, as written.
    package let imports: [String]

    struct Rule: Sendable, Equatable {
        /// As written, with white space collapsed; a nested rule's selector follows its parent's.
        var selector: String
        /// The enclosing at-rules, outermost first: `@media (width < 5px)`.
        var conditions: [String]
        var declarations: [Declaration]
        /// From 1.
        var line: Int
        /// The byte offset of its closing brace.
        var blockEnd: Int

        /// The value of the last declaration of one of `names`, which takes precedence.
        func value(of names: String...) -> String? {
            declarations.last { names.contains($0.name) }?.value
        }
    }

    struct Declaration: Sendable, Equatable {
        var name: String
        /// Trimmed; includes `!important`.
        var value: String
        /// The byte range of `value`.
        var valueRange: Range<Int>
        /// From 1.
        var line: Int

        var isCustomProperty: Bool { name.hasPrefix("--") }
    }

    /// Why a sheet cannot be parsed.
    package struct ParseError: Error, Sendable, Equatable, CustomStringConvertible {
        /// From 1.
        var line: Int
        /// `a comment is never closed`.
        var detail: String

        package var description: String { "line \(line): \(detail)" }
    }

    package init(_ bytes: [UInt8]) throws(ParseError) {
        self.bytes = bytes
        var reader = StyleSheetReader(bytes)
        try reader.read()
        rules = reader.rules
        imports = reader.imports
    }

    /// The bytes with some ranges replaced. The ranges must not overlap; an empty range inserts.
    func replacing(_ changes: [(range: Range<Int>, text: String)]) -> [UInt8] {
        var output: [UInt8] = []
        var position = 0
        for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            output += bytes[position..<change.range.lowerBound]
            output += change.text.utf8
            position = change.range.upperBound
        }
        return output + bytes[position...]
    }
}
