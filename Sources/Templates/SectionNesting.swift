/// The nesting depth of a template's sections.
///
/// The library parses, renders and frees sections recursively, so depth costs stack.
struct SectionNesting {
    private let source: [UInt8]

    /// For a template with its partials inlined.
    static let maxDepth = 64
    /// For a partial that contains itself, which the library expands up to a hundred times
    /// recursively.
    static let maxRecursiveDepth = 8

    init(_ source: [UInt8]) { self.source = source }

    /// The offset of the first section nested deeper than `limit`.
    func firstSection(deeperThan limit: Int) -> Int? {
        var scanner = TagScanner(source)
        var depth = 0
        while let piece = scanner.next() {
            switch piece {
            case .openSection(_, let range):
                depth += 1
                if depth > limit { return range.lowerBound }
            case .closeSection: depth = max(0, depth - 1)
            case .text, .partial, .tag: break
            }
        }
        return nil
    }
}
