/// What a session's refresh tokens are called, wherever they are spoken of.
///
/// A generation is numbered as the device counts: 1 at the sign-in, then one
/// a refresh it kept. A token that came of a generation without the device
/// going on with it has the next one's number and a letter: `2b`.
package struct Generations: Sendable {
    /// The device's, now or at the end.
    package let current: Int
    /// Oldest first; the stored one last.
    package let tokens: [Named]

    /// A refresh token whole, for judging only.
    package struct Named: Sendable {
        /// Nil for the one that is stored now.
        package var token: KeptToken?
        package var value: String
        package var name: Name
    }

    package struct Name: Sendable, Hashable {
        package var generation: Int
        /// From `b`; empty for what the device went on with.
        package var letter = ""
        package var branch = KeptToken.Branch.own

        /// `2`, `2b`.
        package var label: String { "\(generation)\(letter)" }

        /// `generation 2`, `generation 2b, the other tab's`.
        package var words: String { "generation " + which }
        /// The same at the beginning of a sentence.
        package var title: String { "Generation " + which }

        private var which: String {
            let whose = letter.isEmpty ? "" : branch == .own ? ", undone" : branch.whose
            return label + whose
        }
    }

    package init(_ session: Session, tokens: [(token: KeptToken?, value: String)] = []) {
        current = session.generation
        // The device's own line: after an earlier state came back a number
        // is the last one's that had it.
        var line: [Int: String] = [:]
        for (token, value) in tokens {
            guard let token else {
                line[current] = value
                continue
            }
            guard token.branch == .own, token.generation <= current else { continue }
            line[token.generation] = value
        }
        var names: [String: Name] = [:]
        for (generation, value) in line {
            // Where a refresh brings no other token, it keeps its first name.
            let first = min(names[value]?.generation ?? .max, generation)
            names[value] = Name(generation: first)
        }
        var asides: [Int: Int] = [:]
        self.tokens = tokens.map { token, value in
            if let name = names[value] { return Named(token: token, value: value, name: name) }
            let generation = token?.generation ?? session.generation
            asides[generation, default: 0] += 1
            let name = Name(
                generation: generation, letter: Self.letter(asides[generation, default: 1]),
                branch: token?.branch ?? .own)
            names[value] = name
            return Named(token: token, value: value, name: name)
        }
    }

    /// `b` for the first, after `z` comes `bb`.
    private static func letter(_ place: Int) -> String {
        let letters = Array("bcdefghijklmnopqrstuvwxyz")
        let (rounds, index) = (place - 1).quotientAndRemainder(dividingBy: letters.count)
        return String(repeating: "b", count: rounds) + String(letters[index])
    }

    // MARK: Asking

    /// The device's own of a number; one of what was undone, if no other has
    /// it now.
    package func own(_ generation: Int) -> Named? {
        let own = tokens.filter {
            $0.token?.branch ?? .own == .own && $0.token?.generation ?? current == generation
        }
        return own.last { $0.name.letter.isEmpty } ?? own.last
    }

    /// Whether the device held it and went on from it.
    package func isSpent(_ named: Named) -> Bool {
        named.name.letter.isEmpty && named.name.generation < current
    }

    package func kept(_ number: Int) -> Named? { tokens.first { $0.token?.number == number } }

    /// What an exchange brought that the device does not hold.
    package func made(by exchange: String?) -> Named? {
        guard let exchange else { return nil }
        return tokens.first { $0.token?.exchange == exchange }
    }

    /// That of a kept token; of an access token, of what it came with.
    package func name(of token: KeptToken) -> Name {
        if token.kind == .refresh, let found = kept(token.number) { return found.name }
        return made(by: token.exchange)?.name ?? Name(generation: token.generation)
    }

    /// `Generation 2b, the other tab's`.
    package func title(of token: KeptToken) -> String {
        "Generation \(name(of: token).label)\(token.branch.whose)"
    }
}

extension KeptToken.Branch {
    /// As it is said behind a token's number.
    fileprivate var whose: String {
        switch self {
        case .own: ""
        case .unheard: ", never heard of"
        case .rival: ", the other tab's"
        case .replayed: ", of a used token"
        }
    }
}

extension Session {
    /// The generation its device holds, or held last, from 1.
    package var generation: Int { refreshCount + 1 }
}
