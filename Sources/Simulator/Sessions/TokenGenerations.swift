/// What a session's refresh tokens are called, wherever they are spoken of.
///
/// A generation is numbered as the device counts: 1 at the sign-in, then one
/// a refresh it kept. A token that came of a generation without the device
/// going on with it has the next one's number and a letter: `2b`.
package struct TokenGenerations: Sendable {
    /// The device's, now or at the end.
    package let currentGeneration: Int
    /// Oldest first; the stored one last.
    package let tokens: [NamedToken]

    /// A refresh token whole, for judging only.
    package struct NamedToken: Sendable {
        /// Nil for the one that is stored now.
        package var token: ArchivedToken?
        package var value: String
        package var name: GenerationName
    }

    package struct GenerationName: Sendable, Hashable {
        package var generation: Int
        /// From `b`; empty for what the device went on with.
        package var letter = ""
        package var origin = ArchivedToken.Origin.device

        /// `2`, `2b`.
        package var label: String { "\(generation)\(letter)" }

        /// `generation 2`, `generation 2b, the other tab's`.
        package var lowercaseTitle: String { "generation " + labelWithOrigin }
        /// The same at the beginning of a sentence.
        package var title: String { "Generation " + labelWithOrigin }

        private var labelWithOrigin: String {
            let whose = letter.isEmpty ? "" : origin == .device ? ", undone" : origin.titleSuffix
            return label + whose
        }
    }

    package init(_ session: Session, tokens: [(token: ArchivedToken?, value: String)] = []) {
        currentGeneration = session.generation
        // The device's own line: after an earlier state came back a number
        // is the last one's that had it.
        var line: [Int: String] = [:]
        for (token, value) in tokens {
            guard let token else {
                line[currentGeneration] = value
                continue
            }
            guard token.origin == .device, token.generation <= currentGeneration else { continue }
            line[token.generation] = value
        }
        var names: [String: GenerationName] = [:]
        for (generation, value) in line {
            // Where a refresh brings no other token, it keeps its first name.
            let first = min(names[value]?.generation ?? .max, generation)
            names[value] = GenerationName(generation: first)
        }
        var asides: [Int: Int] = [:]
        self.tokens = tokens.map { token, value in
            if let name = names[value] { return NamedToken(token: token, value: value, name: name) }
            let generation = token?.generation ?? session.generation
            asides[generation, default: 0] += 1
            let name = GenerationName(
                generation: generation, letter: Self.branchLetter(asides[generation, default: 1]),
                origin: token?.origin ?? .device)
            names[value] = name
            return NamedToken(token: token, value: value, name: name)
        }
    }

    /// `b` for the first, after `z` comes `bb`.
    private static func branchLetter(_ place: Int) -> String {
        let letters = Array("bcdefghijklmnopqrstuvwxyz")
        let (rounds, index) = (place - 1).quotientAndRemainder(dividingBy: letters.count)
        return String(repeating: "b", count: rounds) + String(letters[index])
    }

    // MARK: Asking

    /// The device's own of a number; one of what was undone, if no other has
    /// it now.
    package func deviceToken(ofGeneration generation: Int) -> NamedToken? {
        let own = tokens.filter {
            $0.token?.origin ?? .device == .device
                && $0.token?.generation ?? currentGeneration == generation
        }
        return own.last { $0.name.letter.isEmpty } ?? own.last
    }

    /// Whether the device held it and went on from it.
    package func isSuperseded(_ named: NamedToken) -> Bool {
        named.name.letter.isEmpty && named.name.generation < currentGeneration
    }

    package func archivedToken(number: Int) -> NamedToken? {
        tokens.first { $0.token?.number == number }
    }

    /// What an exchange brought that the device does not hold.
    package func token(issuedBy exchange: String?) -> NamedToken? {
        guard let exchange else { return nil }
        return tokens.first { $0.token?.exchange == exchange }
    }

    /// That of a kept token; of an access token, of what it came with.
    package func name(of token: ArchivedToken) -> GenerationName {
        if token.kind == .refresh, let found = archivedToken(number: token.number) {
            return found.name
        }
        return self.token(issuedBy: token.exchange)?.name
            ?? GenerationName(generation: token.generation)
    }

    /// `Generation 2b, the other tab's`.
    package func title(of token: ArchivedToken) -> String {
        "Generation \(name(of: token).label)\(token.origin.titleSuffix)"
    }
}

extension ArchivedToken.Origin {
    /// As it is said behind a token's number.
    fileprivate var titleSuffix: String {
        switch self {
        case .device: ""
        case .responseLost: ", never heard of"
        case .otherClient: ", the other tab's"
        case .reuse: ", of a used token"
        }
    }
}

extension Session {
    /// The generation its device holds, or held last, from 1.
    package var generation: Int { refreshCount + 1 }
}
