import FoundationEssentials
package import Web

/// The parts of a token that are compared.
package typealias TokenParts = (header: JSON?, claims: JSON?)

/// The differences between two tokens, header first, then claims, each in the token's order.
package struct TokenDiff: Sendable {
    package let rows: [Row]

    package struct Row: Sendable, Equatable {
        /// `header` or `claims`.
        package var part: String
        package var name: String
        package var kind: Kind
        package var before: JSON?
        package var after: JSON?
    }

    package enum Kind: String, Sendable, CaseIterable {
        case added, removed, changed, unchanged
    }

    package init(before: TokenParts, after: TokenParts) {
        rows =
            Self.rows("header", before.header, after.header)
            + Self.rows("claims", before.claims, after.claims)
    }

    package func count(_ kind: Kind) -> Int { rows.count { $0.kind == kind } }

    private static func rows(_ part: String, _ before: JSON?, _ after: JSON?) -> [Row] {
        let old = members(before)
        let new = members(after)
        let removed = old.filter { member in !new.contains { $0.name == member.name } }
        return new.map { member in
            let previous = old.first { $0.name == member.name }?.value
            let kind: Kind =
                previous == nil ? .added : previous == member.value ? .unchanged : .changed
            return Row(
                part: part, name: member.name, kind: kind, before: previous, after: member.value)
        } + removed.map { Row(part: part, name: $0.name, kind: .removed, before: $0.value) }
    }

    private static func members(_ json: JSON?) -> [JSON.Member] {
        if case .object(let members)? = json { members } else { [] }
    }
}
