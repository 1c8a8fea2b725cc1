import SQLite
import Web

/// A token of a session that the device does not hold or no longer holds.
///
/// Its value is stored sealed, so that it can be sent to its backend again; this describes it
/// without the value.
package struct ArchivedToken: Sendable, Equatable {
    /// Its number among the session's archived tokens, from 1; 0 before it is stored.
    package var number = 0
    package var kind: Kind
    /// Its generation: 1 for the sign-in, one more per refresh.
    package var generation: Int
    package var origin: Origin
    package var summary: Session.TokenSummary
    /// The exchange that issued it, if known.
    package var exchange: String?

    /// The token's purpose.
    package enum Kind: String, Sendable, CaseIterable { case access, refresh }

    /// Why the device does not hold the token.
    package enum Origin: String, Sendable, CaseIterable {
        /// The device held it until it was replaced or the session ended.
        case device
        /// The response that contained it never reached the device.
        case responseLost
        /// Another client received it in a concurrent refresh.
        case otherClient
        /// It was issued for the reuse of an old refresh token.
        case reuse

        /// The suffix after a token's number.
        fileprivate var titleSuffix: String {
            switch self {
            case .device: ""
            case .responseLost: ", response lost"
            case .otherClient: ", second client"
            case .reuse: ", from a reused token"
            }
        }
    }
}

/// A token of a session in the archive, or to be added to it.
struct StoredToken: Sendable {
    let session: String
    let token: ArchivedToken
    /// Sealed in the database.
    var value: String
}

/// The database table of archived session tokens.
enum ArchivedTokenTable {
    /// Number of tokens stored per session, the newest; a refresh adds two.
    static let maxPerSession = 64

    /// Adds a token unless it is stored already: after a restore a device retires the same tokens
    /// again.
    static func add(_ added: StoredToken, _ connection: Connection) throws {
        let token = added.token
        guard
            let (sequence, last) = try SessionTable.lastNumber(
                in: "session_tokens", of: added.session, connection)
        else { return }
        let columns: Columns = [
            ("session", .integer(sequence)), ("kind", .text(token.kind.rawValue)),
            ("generation", .integer(token.generation)), ("branch", .text(token.origin.rawValue)),
            ("held", .text(token.summary.storedJSON.description)),
            ("claims", .text(token.summary.claims?.description)),
        ]
        let conditions = columns.map { "\($0.name) IS ?" as StaticSQL }
        let condition = StaticSQL.joined(conditions, separator: " AND ")
        let isStored = try connection.exists(
            "SELECT 1 FROM session_tokens WHERE \(condition)", columns.map(\.value))
        guard !isStored else { return }
        let otherColumns: Columns = [
            ("number", .integer(last + 1)), ("sealed", .text(added.value)),
            ("exchange", .text(token.exchange)),
        ]
        try connection.insert(columns + otherColumns, into: "session_tokens")
        try connection.run(
            "DELETE FROM session_tokens WHERE session = ? AND number <= ?",
            [.integer(sequence), .integer(last + 1 - Int64(maxPerSession))])
    }
}

/// The names of a session's refresh tokens.
///
/// Generations are numbered as the device counts: 1 for the sign-in, one more per stored refresh. A
/// token that was issued for a generation without becoming the device's next one has the next
/// number and a letter: `2b`.
package struct TokenGenerations: Sendable {
    /// The device's current generation, or its last.
    package let currentGeneration: Int
    /// Oldest first; the stored one last.
    package let tokens: [NamedToken]

    /// A refresh token with its unmasked value, for verification only.
    package struct NamedToken: Sendable {
        /// Nil for the stored token.
        package var token: ArchivedToken?
        package var value: String
        package var name: GenerationName
    }

    /// A generation and its branch: `3`, `3b`.
    package struct GenerationName: Sendable, Hashable {
        package var generation: Int
        /// From `b`; empty for the device's own tokens.
        package var letter = ""
        package var origin = ArchivedToken.Origin.device

        /// `2`, `2b`.
        package var label: String { "\(generation)\(letter)" }

        /// `Generation 2`, `Generation 2b, second client`.
        package var title: String {
            let suffix = letter.isEmpty ? "" : origin == .device ? ", undone" : origin.titleSuffix
            return "Generation \(label)\(suffix)"
        }
        package var lowercaseTitle: String { "g" + title.dropFirst() }
    }

    package init(_ session: Session, tokens: [(token: ArchivedToken?, value: String)] = []) {
        currentGeneration = session.generation
        // The device's own tokens. After a restore a number is reused; the last token with it
        // counts.
        var valueByGeneration: [Int: String] = [:]
        for (token, value) in tokens {
            guard let token else {
                valueByGeneration[currentGeneration] = value
                continue
            }
            guard token.origin == .device, token.generation <= currentGeneration else { continue }
            valueByGeneration[token.generation] = value
        }
        var names: [String: GenerationName] = [:]
        for (generation, value) in valueByGeneration {
            // A refresh that returns the same token keeps its first name.
            let firstGeneration = min(names[value]?.generation ?? .max, generation)
            names[value] = GenerationName(generation: firstGeneration)
        }
        var branchCounts: [Int: Int] = [:]
        self.tokens = tokens.map { token, value in
            if let name = names[value] { return NamedToken(token: token, value: value, name: name) }
            let generation = token?.generation ?? session.generation
            branchCounts[generation, default: 0] += 1
            let name = GenerationName(
                generation: generation,
                letter: Self.branchLetter(branchCounts[generation, default: 1]),
                origin: token?.origin ?? .device)
            names[value] = name
            return NamedToken(token: token, value: value, name: name)
        }
    }

    /// `b` for the first, `bb` after `z`.
    private static func branchLetter(_ position: Int) -> String {
        let letters = Array("bcdefghijklmnopqrstuvwxyz")
        let (rounds, index) = (position - 1).quotientAndRemainder(dividingBy: letters.count)
        return String(repeating: "b", count: rounds) + String(letters[index])
    }

    // MARK: Lookup

    /// The device's own token of a generation; one that a restore undid, if no other has the number
    /// now.
    package func deviceToken(ofGeneration generation: Int) -> NamedToken? {
        let candidates = tokens.filter {
            $0.token?.origin ?? .device == .device
                && $0.token?.generation ?? currentGeneration == generation
        }
        return candidates.last { $0.name.letter.isEmpty } ?? candidates.last
    }

    /// Whether the device held the token and refreshed it.
    package func isSuperseded(_ named: NamedToken) -> Bool {
        named.name.letter.isEmpty && named.name.generation < currentGeneration
    }

    package func archivedToken(number: Int) -> NamedToken? {
        tokens.first { $0.token?.number == number }
    }

    /// The token that an exchange brought and the device does not hold.
    package func token(issuedBy exchange: String?) -> NamedToken? {
        guard let exchange else { return nil }
        return tokens.first { $0.token?.exchange == exchange }
    }

    /// The name of an archived token; of an access token, the name of the refresh token issued with
    /// it.
    package func name(of token: ArchivedToken) -> GenerationName {
        if token.kind == .refresh, let found = archivedToken(number: token.number) {
            return found.name
        }
        return self.token(issuedBy: token.exchange)?.name
            ?? GenerationName(generation: token.generation)
    }

    /// `Generation 2b, second client`.
    package func title(of token: ArchivedToken) -> String {
        "Generation \(name(of: token).label)\(token.origin.titleSuffix)"
    }
}
