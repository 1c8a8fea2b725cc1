/// A style sheet as it was written: its rules with their declarations, each
/// with its place in the file.
///
/// It understands what CSS Syntax Level 3 calls qualified rules, nested rules,
/// at-rules with rules in them (`@media`, `@supports`, `@layer`,
/// `@container`), comments, strings and brackets. Other at-rules
/// (`@font-face`, `@keyframes` …) are gone over whole. Bytes are kept, so that
/// a value can be replaced and everything else stays as it was.
struct StyleSheet: Sendable, Equatable {
    var bytes: [UInt8]
    /// Style rules in the order written, those inside at-rules too.
    var rules: [Rule] = []
    /// What it imports: the addresses as written.
    var imports: [String] = []

    struct Rule: Sendable, Equatable {
        /// As written, white space made one space; a nested rule's stands
        /// behind its parent's.
        var selector: String
        /// The at-rules around it, outermost first: `@media (width < 5px)`.
        var conditions: [String]
        var declarations: [Declaration]
        /// From 1.
        var line: Int
        /// Where its closing brace stands.
        var blockEnd: Int
    }

    struct Declaration: Sendable, Equatable {
        var name: String
        /// Without white space around it and without `!important`'s.
        var value: String
        /// The bytes of `value`.
        var valueRange: Range<Int>
        /// From 1.
        var line: Int
    }

    /// Why a sheet cannot be read.
    struct ParseError: Error, Sendable, Equatable {
        /// From 1.
        var line: Int
        /// `a comment is never closed`.
        var detail: String
    }

    init(_ bytes: [UInt8]) throws(ParseError) {
        self.bytes = bytes
        var reader = StyleSheetReader(bytes)
        try reader.read()
        rules = reader.rules
        imports = reader.imports
    }

    init(_ text: String) throws(ParseError) { try self.init(Array(text.utf8)) }

    /// The bytes with other ones in the places of some ranges, which must not
    /// overlap; an empty range inserts.
    func replacing(_ changes: [(range: Range<Int>, text: String)]) -> [UInt8] {
        var out: [UInt8] = []
        var at = 0
        for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            out += bytes[at..<change.range.lowerBound]
            out += change.text.utf8
            at = change.range.upperBound
        }
        return out + bytes[at...]
    }

    /// A digest of the content (FNV-1a), to tell whether a file changed.
    static func digest(_ sheets: [[UInt8]]) -> String {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for bytes in sheets {
            for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            digest = (digest ^ 0xFF) &* 0x100_0000_01B3
        }
        return String(digest, radix: 36)
    }
}
