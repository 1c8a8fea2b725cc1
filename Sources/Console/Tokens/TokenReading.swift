import Backend
import FoundationEssentials
import Simulator
import Web

/// A token somebody showed, taken apart and judged; nothing of it is kept.
struct TokenReading: Sendable {
    let held: Session.Held
    let verdict: Verdict
    /// The contract of the embedded backend whose key spoke; nil if none did.
    let contract: String?
    let notBefore: Date?
    let now: Date

    init(_ token: String, backend: EmbeddedBackend, now: Date) {
        held = Session.Held(reading: token, at: now)
        (verdict, contract) = backend.judge(token)
        notBefore = held.claims?["nbf"]?.date
        self.now = now
    }

    /// Whether its time is now, whoever signed it.
    enum Expiry: String, Sendable, CaseIterable { case valid, expired, notYet, noEnd, unknown }

    var expiry: Expiry {
        guard held.isJWT else { return .unknown }
        if let notBefore, notBefore > now { return .notYet }
        guard let end = held.expiresAt else { return .noEnd }
        return end > now ? .valid : .expired
    }

    /// What nobody here could check, and why.
    var unchecked: [(what: String, why: String)] {
        guard held.isJWT else {
            return [
                (
                    "everything",
                    "The token is opaque: only the backend that gave it knows what it means."
                )
            ]
        }
        var open: [(String, String)] = []
        switch verdict.word {
        case .unverified: open.append(("signature", verdict.reason))
        case .unsigned: open.append(("signature", "It is unsigned: anybody can have written it."))
        case .verified, .invalid, .opaque: break
        }
        if held.claims?["aud"] != nil {
            open.append(("audience", "Only the server it is shown to knows its own name."))
        }
        if held.expiresAt == nil { open.append(("end", "It tells none.")) }
        open.append(
            (
                "revocation",
                "A token does not tell whether its session was ended; a "
                    + "probe asks its backend."
            ))
        return open
    }

    var json: JSON {
        [
            "kind": held.isJWT ? "jwt" : "opaque",
            "masked": .string(held.masked),
            "bytes": JSON(held.bytes),
            "header": held.header ?? .null,
            "claims": held.claims ?? .null,
            "verdict": [
                "signature": .string(verdict.word.rawValue),
                "algorithm": JSON(verdict.algorithm),
                "keyId": JSON(verdict.keyID),
                "contract": JSON(contract),
                "reason": .string(verdict.reason),
            ],
            "expiry": [
                "state": .string(expiry.rawValue),
                "issuedAt": JSON(held.issuedAt?.iso8601),
                "notBefore": JSON(notBefore?.iso8601),
                "expiresAt": JSON(held.expiresAt?.iso8601),
                "secondsLeft": held.expiresAt.map {
                    JSON(Int(clamping: $0.timeIntervalSince(now).rounded()))
                } ?? .null,
            ],
            "unchecked": .array(
                unchecked.map { ["what": .string($0.what), "why": .string($0.why)] }),
        ]
    }
}
