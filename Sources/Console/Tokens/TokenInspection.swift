import Backend
import FoundationEssentials
import Simulator
import Web

/// A pasted token, decoded and verified; nothing of it is stored.
struct TokenInspection: Sendable {
    let token: Session.TokenSummary
    let verdict: SignatureVerification
    /// The contract of the embedded backend whose key verified it; nil if none did.
    let contract: String?
    let notBefore: Date?
    let now: Date

    init(_ token: String, backend: EmbeddedBackend, now: Date) {
        self.token = Session.TokenSummary(decoding: token, at: now)
        (verdict, contract) = backend.verifySignature(token)
        notBefore = self.token.claims?["nbf"]?.dateFromSeconds
        self.now = now
    }

    /// Whether the token is valid at the current time, regardless of its signature.
    enum Expiry: String, Sendable, CaseIterable {
        case valid, expired
        case notYetValid = "notYet"
        case noExpiry = "noEnd"
        case unknown
    }

    var expiry: Expiry {
        guard token.isJWT else { return .unknown }
        if let notBefore, notBefore > now { return .notYetValid }
        guard let end = token.expiresAt else { return .noExpiry }
        return end > now ? .valid : .expired
    }

    /// What could not be checked here, and why.
    var unchecked: [(what: String, why: String)] {
        guard token.isJWT else {
            return [
                (
                    "everything",
                    "The token is opaque: only the backend that gave it knows what it means."
                )
            ]
        }
        var items: [(String, String)] = []
        switch verdict.status {
        case .unverified: items.append(("signature", verdict.reason))
        case .unsigned: items.append(("signature", "It is unsigned: anybody can have written it."))
        case .verified, .invalid, .opaque: break
        }
        if token.claims?["aud"] != nil {
            items.append(("audience", "Only the server it is shown to knows its own name."))
        }
        if token.expiresAt == nil { items.append(("end", "It tells none.")) }
        items.append(
            (
                "revocation",
                "A token does not tell whether its session was ended; a "
                    + "probe asks its backend."
            ))
        return items
    }

    var json: JSON {
        [
            "kind": token.isJWT ? "jwt" : "opaque",
            "masked": .string(token.maskedValue),
            "bytes": JSON(token.byteCount),
            "header": token.header ?? .null,
            "claims": token.claims ?? .null,
            "verdict": [
                "signature": .string(verdict.status.rawValue),
                "algorithm": JSON(verdict.algorithm),
                "keyId": JSON(verdict.keyID),
                "contract": JSON(contract),
                "reason": .string(verdict.reason),
            ],
            "expiry": [
                "state": .string(expiry.rawValue),
                "issuedAt": JSON(token.issuedAt?.iso8601),
                "notBefore": JSON(notBefore?.iso8601),
                "expiresAt": JSON(token.expiresAt?.iso8601),
                "secondsLeft": token.expiresAt.map {
                    JSON(Int(clamping: $0.timeIntervalSince(now).rounded()))
                } ?? .null,
            ],
            "unchecked": .array(
                unchecked.map { ["what": .string($0.what), "why": .string($0.why)] }),
        ]
    }
}
