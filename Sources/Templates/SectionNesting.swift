/// How deep the sections of a template stand in one another.
///
/// The library parses, renders and frees a section within the call for the
/// one around it, so that depth is stack.
struct SectionNesting {
    private let source: [UInt8]

    /// For a template with its partials.
    static let maxDepth = 64
    /// For a partial that contains itself, which the library expands up to a
    /// hundred times within itself.
    static let maxRecursiveDepth = 8

    init(_ source: [UInt8]) { self.source = source }

    /// Where the first section opens that stands deeper than `limit`.
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
