package import Backend
package import FoundationEssentials
package import Simulator
package import Web

/// A pasted token, decoded and verified; nothing of it is stored.
package struct TokenInspection: Sendable {
    package let token: Session.TokenSummary
    package let verdict: SignatureVerification
    /// The contract of the embedded backend whose key verified it; nil if none did.
    package let contract: String?
    package let notBefore: Date?
    package let now: Date

    package init(_ token: String, backend: EmbeddedBackend, now: Date) {
        self.token = Session.TokenSummary(decoding: token, at: now)
        (verdict, contract) = backend.verifySignature(token)
        notBefore = self.token.claims?["nbf"]?.dateFromSeconds
        self.now = now
    }

    /// Whether the token is valid at the current time, regardless of its signature.
    package enum Expiry: String, Sendable, CaseIterable {
        case valid, expired
        case notYetValid
        case noExpiry
        case unknown
    }

    package var expiry: Expiry {
        guard token.isJWT else { return .unknown }
        if let notBefore, notBefore > now { return .notYetValid }
        guard let end = token.expiresAt else { return .noExpiry }
        return end > now ? .valid : .expired
    }

    /// What could not be checked here, and why.
    package var unchecked: [(name: String, reason: String)] {
        guard token.isJWT else {
            return [("everything", "Opaque token: only the issuer can decode it.")]
        }
        var items: [(String, String)] = []
        switch verdict.status {
        case .unverified: items.append(("signature", verdict.reason))
        case .unsigned: items.append(("signature", "An unsigned token can be forged."))
        case .verified, .invalid, .opaque: break
        }
        if token.claims?["aud"] != nil {
            items.append(("audience", "Only the receiving server can check it."))
        }
        if token.expiresAt == nil { items.append(("expiry", "The token has no expiry.")) }
        items.append(("revocation", "Only the backend can check it: test the token there."))
        return items
    }

    /// Until it expires, negative afterwards; nil without an expiry.
    package var secondsLeft: Int? {
        token.expiresAt.map { Int(clamping: $0.timeIntervalSince(now).rounded()) }
    }
}

/// The parts of a token that are compared.
package typealias TokenParts = (header: JSON?, claims: JSON?)

/// The differences between two tokens, header first, then claims, each in the token's order.
package struct TokenDiff: Sendable {
    package let rows: [Row]

    /// A member of header or claims, before and after.
    package struct Row: Sendable, Equatable {
        /// `header` or `claims`.
        package var part: String
        package var name: String
        package var kind: Kind
        package var before: JSON?
        package var after: JSON?
    }

    /// How the member differs.
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
        let old = before?.members ?? []
        let new = after?.members ?? []
        let removed = old.filter { member in !new.contains { $0.name == member.name } }
        return new.map { member in
            let previous = old.first { $0.name == member.name }?.value
            let kind: Kind =
                previous == nil ? .added : previous == member.value ? .unchanged : .changed
            return Row(
                part: part, name: member.name, kind: kind, before: previous, after: member.value)
        } + removed.map { Row(part: part, name: $0.name, kind: .removed, before: $0.value) }
    }
}
