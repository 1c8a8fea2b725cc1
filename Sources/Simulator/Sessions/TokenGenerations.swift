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

    package struct GenerationName: Sendable, Hashable {
        package var generation: Int
        /// From `b`; empty for the device's own tokens.
        package var letter = ""
        package var origin = ArchivedToken.Origin.device

        /// `2`, `2b`.
        package var label: String { "\(generation)\(letter)" }

        /// `generation 2`, `generation 2b, second client`.
        package var lowercaseTitle: String { "generation " + labelWithOrigin }
        /// `lowercaseTitle` for the beginning of a sentence.
        package var title: String { "Generation " + labelWithOrigin }

        private var labelWithOrigin: String {
            let suffix = letter.isEmpty ? "" : origin == .device ? ", undone" : origin.titleSuffix
            return label + suffix
        }
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

extension ArchivedToken.Origin {
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

extension Session {
    /// The generation that its device holds, or held last, from 1.
    package var generation: Int { refreshCount + 1 }
}
