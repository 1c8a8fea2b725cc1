/// The differences between two exchanges, section by section.
///
/// Tokens are compared by value and shown masked. Different tokens with the same masked form get a
/// number to tell them apart.
package struct ExchangeDiff: Sendable, Equatable {
    package var sections: [Section]

    package struct Section: Sendable, Equatable {
        /// `Request`, `Request headers` …
        package var title: String
        /// Only the differences.
        package var rows: [Row]
        /// The number of values equal in both.
        package var unchangedCount: Int
    }

    package struct Row: Sendable, Equatable {
        /// A header name, a JSON Pointer or a line number.
        package var path: String
        /// Nil if only the new exchange has the value.
        package var old: String?
        package var new: String?

        package var kind: Kind { old == nil ? .added : new == nil ? .removed : .changed }
    }

    package enum Kind: String, Sendable, CaseIterable { case added, removed, changed }

    /// Whether nothing but the timings differs.
    package var isEqualExceptTiming: Bool {
        sections.filter { $0.title != ComparedSection.timingsTitle }.allSatisfy(\.rows.isEmpty)
    }

    /// `aTokens` and `bTokens` are the unmasked tokens by index; they are compared and not stored.
    package init(_ a: ExchangeDetail, _ aTokens: [String], _ b: ExchangeDetail, _ bTokens: [String])
    {
        let names = TokenNames([(a, aTokens), (b, bTokens)])
        let old = ComparedSection.sections(of: a, names.values(of: a, aTokens))
        let new = ComparedSection.sections(of: b, names.values(of: b, bTokens))
        sections = zip(old, new).map { old, new in
            switch (old.content, new.content) {
            case (.values(let oldValues), .values(let newValues)):
                Self.section(old.title, oldValues, newValues)
            case (.body(let oldBody), .body(let newBody)):
                BodyDiff.section(old.title, oldBody, newBody)
            default: preconditionFailure("all exchanges have the same sections")
            }
        }
    }

    /// Rows in the order of `old`, then those only in `new`.
    static func section(_ title: String, _ old: [(String, String)], _ new: [(String, String)])
        -> Section
    {
        var remaining: [String: [String]] = [:]
        for (path, value) in new { remaining[path, default: []].append(value) }
        var rows: [Row] = []
        var unchangedCount = 0
        for (path, value) in old {
            let other = remaining[path].flatMap { $0.isEmpty ? nil : $0[0] }
            if other != nil { remaining[path]?.removeFirst() }
            if other == value {
                unchangedCount += 1
            } else {
                rows.append(Row(path: path, old: value, new: other))
            }
        }
        for (path, _) in new {
            guard let value = remaining[path]?.first else { continue }
            remaining[path]?.removeFirst()
            rows.append(Row(path: path, old: nil, new: value))
        }
        return Section(title: title, rows: rows, unchangedCount: unchangedCount)
    }
}

/// Masked names for the tokens of two exchanges: equal tokens get equal names, different tokens
/// different ones.
struct TokenNames {
    private var names: [String: String] = [:]

    init(_ exchanges: [(ExchangeDetail, [String])]) {
        var counts: [String: Int] = [:]
        for (detail, tokens) in exchanges {
            for (token, masked) in zip(tokens, detail.tokens) where names[token] == nil {
                let count = counts[masked, default: 0] + 1
                counts[masked] = count
                names[token] = count == 1 ? masked : "\(masked) (\(count))"
            }
        }
    }

    func values(of detail: ExchangeDetail, _ tokens: [String]) -> [String] {
        zip(tokens, detail.tokens).map { names[$0] ?? $1 }
    }
}
