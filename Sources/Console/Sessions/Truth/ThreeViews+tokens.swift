import Backend
import FoundationEssentials
import Simulator
import Web

/// The tokens, as each side sees them.
extension ThreeViews {
    var family: ViewFact {
        var fact = ViewFact(
            id: "session", name: "Session id", stored: .none,
            claimed: .text(evidence.claimed(Synonyms.session)?.text, code: true),
            known: .text(evidence.truth?.session?.id, code: true))
        if fact.differs {
            fact.disagreement = Disagreement(
                kind: .sessionChanged, odd: .claimed,
                why: "The token is of another session than its refresh token.",
                mend: "Signing in again stores one session's tokens.")
        }
        return fact
    }

    var accessEnd: ViewFact {
        let end = session.accessToken?.expiresAt
        let told = evidence.stored(["expiresIn", "expires_in", "expiresAt"])?.text
        let kept = told.flatMap { Date(iso8601: $0) }
        var fact = ViewFact(
            id: "accessUntil", name: "Access token until",
            stored: kept.map { .said(second($0), as: time($0)) } ?? .none,
            claimed: end.map { .said(second($0), as: time($0)) } ?? .none, known: knownEnd(end))
        // A phone counts from when the answer came.
        if let kept, let end, abs(kept.timeIntervalSince(end)) <= 5 {
            fact.stored = .said(second(end), as: time(kept))
        }
        if let end, end <= evidence.now, evidence.isLive, evidence.hasAccessToken {
            fact.disagreement = Disagreement(
                kind: .expired, odd: .claimed,
                why: "The token is over on this clock, and still stored.",
                mend: canRefresh
                    ? "The app's next call refreshes it." : "Signing in again brings a new one.")
        } else if fact.differs {
            fact.disagreement = Disagreement(
                kind: .differs, odd: .stored,
                why: "The app counts on another end than the token tells.",
                mend: canRefresh
                    ? "A refresh stores both anew." : "Signing in again stores both anew.")
        }
        return fact
    }

    /// The server ends a token of its own when that says so.
    private func knownEnd(_ end: Date?) -> Side {
        guard let end, isEmbedded, evidence.verdict?.word == .verified else { return .none }
        return .said(second(end), as: time(end))
    }

    private func second(_ date: Date) -> String {
        String(Int(clamping: date.timeIntervalSince1970.rounded()))
    }

    var issued: ViewFact {
        let known = evidence.truth?.session.map { $0.refreshedAt ?? $0.createdAt }
        return ViewFact(
            id: "issued", name: "Issued",
            stored: session.accessToken.map { .said("stored", as: "kept \(time($0.receivedAt))") }
                ?? .none,
            claimed: session.accessToken?.issuedAt.map { .said("claimed", as: time($0)) } ?? .none,
            known: known.map { .said("known", as: "last \(time($0))") } ?? .none, isCompared: false)
    }

    var generation: ViewFact {
        var fact = ViewFact(
            id: "generation", name: "Refresh generation", stored: .none, claimed: .none,
            known: .none)
        guard session.refreshToken != nil else { return fact }
        let own = evidence.generations.current
        guard let truth = evidence.truth else {
            fact.stored = .text(String(own))
            fact.known = .unknown("not told")
            return fact
        }
        let presented = truth.asked.last ?? nil
        fact.stored =
            evidence.hasRefreshToken
            ? .said(
                String(presented?.generation ?? own),
                as: Lineage.words(own, server: presented?.generation)) : .none
        guard let known = truth.session, known.generation > 0 else { return fact }
        let current = String(known.generation)
        let isDead = known.revokedAt != nil
        fact.known = .said(
            isDead ? "dead" : current, as: isDead ? "\(current), family dead" : current)
        guard evidence.hasRefreshToken else { return fact }
        if isDead {
            fact.disagreement = Disagreement(
                kind: .revoked, odd: .known,
                why: "No refresh token of this family is taken any more.",
                mend: "Signing in again begins a new family.")
        } else if presented == nil {
            fact.stored = .said("stranger", as: "one of another hand")
            fact.disagreement = Disagreement(
                kind: .refreshUnknown, odd: .stored,
                why: "The server never gave the stored refresh token, or forgot it.",
                mend: "Signing in again begins a new family.")
        } else if let presented, presented.generation < known.generation {
            fact.disagreement = other(presented, newest: known.generation, own)
        }
        return fact
    }

    /// What was used stands elsewhere than what only fell behind.
    private func other(_ presented: EmbeddedBackend.KnownRefreshToken, newest: Int, _ own: Int)
        -> Disagreement
    {
        let newest = Lineage.theirs(newest)
        guard let used = presented.usedAt else {
            return Disagreement(
                kind: .otherGeneration, odd: .stored,
                why: "Generation \(own) was not used yet; another branch is at \(newest).",
                mend: "Refreshing now is its first use.")
        }
        return Disagreement(
            kind: .otherGeneration, odd: .stored,
            why: "Generation \(own) was used at \(time(used)), and "
                + "\(newest) never reached this device.",
            mend: "Refreshing now shows whether the server forgives it or ends the family.")
    }

    var signature: ViewFact {
        guard let held = session.accessToken, held.isJWT else {
            return ViewFact(
                id: "signature", name: "Signature", stored: .none,
                claimed: session.accessToken == nil ? .none : .said("opaque", as: "opaque"),
                known: .none)
        }
        let key = held.keyID.map { "key \($0.suffix(4))" }
        let claims = [held.algorithm, key].compactMap(\.self).joined(separator: ", ")
        var fact = ViewFact(
            id: "signature", name: "Signature", stored: .none,
            claimed: .said("signed", as: claims.isEmpty ? "unsigned" : claims),
            known: .unknown(evidence.verdict == nil ? "not checked" : "no key known here"))
        switch evidence.verdict?.word {
        case .verified?:
            fact.known = .said(
                "signed",
                as: (evidence.verdict?.keyID.map { "key \($0.suffix(4))" } ?? "the key")
                    + " is published")
        case .invalid?:
            fact.known = .said("wrong", as: "signature wrong")
            fact.disagreement = Disagreement(
                kind: .signatureWrong, odd: .claimed,
                why: "The token was changed, or somebody else made it.",
                mend: canRefresh
                    ? "A refresh brings one the server signed."
                    : "Signing in again brings one the server signed.")
        case .unverified? where isEmbedded:
            fact.known = .said("unknown", as: "key unknown")
            fact.disagreement = Disagreement(
                kind: .keyUnknown, odd: .claimed,
                why: "It names a key this server never published.",
                mend: canRefresh
                    ? "A refresh brings one signed with a key of its own."
                    : "Signing in again brings one signed with its own.")
        default: break
        }
        return fact
    }
}
