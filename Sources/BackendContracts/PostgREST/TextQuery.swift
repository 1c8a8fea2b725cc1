import Web

/// A full-text query on the lexemes of a text.
///
/// Lexemes are words in lower case without stop words and common English suffixes, which is a plain
/// version of PostgreSQL's configuration `english`.
struct TextQuery: Sendable {
    private let node: Node?

    private indirect enum Node: Sendable {
        case word(String, isPrefix: Bool)
        /// Consecutive words.
        case phrase([String])
        case and(Node, Node)
        case or(Node, Node)
        case not(Node)
    }

    /// `kind` is the operator: `fts` parses `a & !b`, `plfts` plain words, `phfts` a phrase, `wfts`
    /// what a search engine's users write.
    init(_ text: String, _ kind: String) throws(RestFailure) {
        switch kind {
        case "plfts":
            node = Self.joined(
                Self.lexemes(text).map { .word($0.word, isPrefix: false) }, Node.and)
        case "phfts": node = Self.phrase(text)
        case "wfts": node = Self.parseWebSearch(text)
        default:
            var parser = Parser(rest: text[...], text: text)
            node = try parser.parseOr(depth: 0)
            parser.skipSpaces()
            guard parser.rest.isEmpty else { throw .invalidTextQuery(text) }
        }
    }

    /// A query without lexemes matches nothing.
    func matches(_ text: String) -> Bool {
        guard let node else { return false }
        let lexemes = Self.lexemes(text)
        return Self.matches(node, lexemes, Set(lexemes.map(\.word)))
    }

    private static func matches(
        _ node: Node, _ lexemes: [(word: String, position: Int)], _ words: Set<String>
    ) -> Bool {
        switch node {
        case .word(let word, let isPrefix):
            return isPrefix ? words.contains { $0.hasPrefix(word) } : words.contains(word)
        case .phrase(let phrase):
            guard !phrase.isEmpty, lexemes.count >= phrase.count else { return false }
            return (0...lexemes.count - phrase.count).contains { start in
                lexemes[start..<start + phrase.count].map(\.word) == phrase
            }
        case .and(let left, let right):
            return matches(left, lexemes, words) && matches(right, lexemes, words)
        case .or(let left, let right):
            return matches(left, lexemes, words) || matches(right, lexemes, words)
        case .not(let node): return !matches(node, lexemes, words)
        }
    }

    private static func joined(_ nodes: [Node], _ join: (Node, Node) -> Node) -> Node? {
        nodes.dropFirst().reduce(nodes.first) { result, node in result.map { join($0, node) } }
    }

    private static func phrase(_ text: some StringProtocol) -> Node? {
        let words = lexemes(text).map(\.word)
        return words.isEmpty
            ? nil : words.count == 1 ? .word(words[0], isPrefix: false) : .phrase(words)
    }

    /// Parses `fat rat -cat or "sad dog"`.
    private static func parseWebSearch(_ text: String) -> Node? {
        var alternatives: [[Node]] = [[]]
        var rest = text[...]
        while true {
            rest = rest.drop { $0.isWhitespace }
            guard let first = rest.first else { break }
            let isNegated = first == "-"
            if isNegated { rest.removeFirst() }
            let part: Substring
            if rest.first == "\"" {
                part = rest.dropFirst().prefix { $0 != "\"" }
                rest = rest.dropFirst(part.count + 2)
            } else {
                part = rest.prefix { !$0.isWhitespace && $0 != "\"" }
                rest = rest.dropFirst(part.count)
                if part.lowercased() == "or", !isNegated {
                    alternatives.append([])
                    continue
                }
            }
            if let node = phrase(part) {
                alternatives[alternatives.count - 1].append(isNegated ? .not(node) : node)
            }
        }
        return joined(alternatives.compactMap { joined($0, Node.and) }, Node.or)
    }

    // MARK: Lexemes

    private static func lexemes(_ text: some StringProtocol) -> [(word: String, position: Int)] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.enumerated().compactMap {
            position, word in
            stopWords.contains(String(word)) ? nil : (stem(String(word)), position)
        }
    }

    private static func stem(_ word: String) -> String {
        var stem = word
        func cut(_ suffix: String, _ replacement: String = "", atLeast length: Int) -> Bool {
            guard stem.hasSuffix(suffix), stem.count - suffix.count >= length else { return false }
            stem = stem.dropLast(suffix.count) + replacement
            return true
        }
        if !cut("sses", "ss", atLeast: 1), !cut("ies", "i", atLeast: 1), !stem.hasSuffix("ss") {
            _ = cut("s", atLeast: 2)
        }
        if cut("ing", atLeast: 3) || cut("ed", atLeast: 3) {
            let end = stem.suffix(2)
            if end.count == 2, end.first == end.last, !"lsz".contains(end.last ?? "l") {
                stem.removeLast()
            }
        }
        _ = cut("ly", atLeast: 3)
        _ = cut("e", atLeast: 3)
        if stem.hasSuffix("y"), stem.count > 2 { stem = stem.dropLast() + "i" }
        return stem
    }

    private static let stopWords: Set<String> = [
        "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
        "can", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how",
        "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "nor", "not", "of", "on",
        "or", "our", "she", "so", "some", "such", "than", "that", "the", "their", "them", "then",
        "there", "these", "they", "this", "those", "to", "too", "up", "was", "we", "were", "what",
        "when", "where", "which", "while", "who", "why", "will", "with", "you", "your",
    ]

    /// Parses `a & (b | !c) <-> d:*`.
    private struct Parser {
        var rest: Substring
        let text: String

        mutating func skipSpaces() { rest = rest.drop { $0.isWhitespace } }

        private mutating func take(_ token: String) -> Bool {
            skipSpaces()
            guard rest.hasPrefix(token) else { return false }
            rest = rest.dropFirst(token.count)
            return true
        }

        mutating func parseOr(depth: Int) throws(RestFailure) -> Node? {
            var node = try parseAnd(depth: depth)
            while take("|") {
                let right = try parseAnd(depth: depth)
                if let left = node, let right {
                    node = .or(left, right)
                } else {
                    node = node ?? right
                }
            }
            return node
        }

        private mutating func parseAnd(depth: Int) throws(RestFailure) -> Node? {
            var node = try parsePhrase(depth: depth)
            while take("&") {
                let right = try parsePhrase(depth: depth)
                if let left = node, let right {
                    node = .and(left, right)
                } else {
                    node = node ?? right
                }
            }
            return node
        }

        private mutating func parsePhrase(depth: Int) throws(RestFailure) -> Node? {
            var node = try parseUnary(depth: depth)
            while take("<->") {
                let right = try parseUnary(depth: depth)
                switch (node, right) {
                case (.word(let left, _), .word(let right, _)): node = .phrase([left, right])
                case (.phrase(let words), .word(let right, _)): node = .phrase(words + [right])
                case (let left?, let right?): node = .and(left, right)
                default: node = node ?? right
                }
            }
            return node
        }

        private mutating func parseUnary(depth: Int) throws(RestFailure) -> Node? {
            guard depth < 16 else { throw .invalidTextQuery(text) }
            if take("!") { return try parseUnary(depth: depth + 1).map { .not($0) } }
            if take("(") {
                let node = try parseOr(depth: depth + 1)
                guard take(")") else { throw .invalidTextQuery(text) }
                return node
            }
            skipSpaces()
            let isQuoted = take("'")
            let word = rest.prefix { character in
                isQuoted
                    ? character != "'" : !character.isWhitespace && !"&|!()<:'".contains(character)
            }
            rest = rest.dropFirst(word.count)
            guard !word.isEmpty, !isQuoted || take("'") else { throw .invalidTextQuery(text) }
            let isPrefix = take(":*")
            let words = TextQuery.lexemes(word).map(\.word)
            return words.count == 1
                ? .word(words[0], isPrefix: isPrefix) : words.isEmpty ? nil : .phrase(words)
        }
    }
}
