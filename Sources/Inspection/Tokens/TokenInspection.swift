package import Backend
package import FoundationEssentials
package import Simulator
import Web

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
