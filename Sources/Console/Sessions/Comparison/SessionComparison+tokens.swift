import Backend
import FoundationEssentials
import Simulator
import Web

/// The tokens, as each side sees them.
extension SessionComparison {
    var sessionID: ComparedField {
        var fact = ComparedField(
            id: "session", name: "Session id", deviceValue: .none,
            tokenValue: .text(sources.tokenValue(ClaimAliases.session)?.scalarText, isCode: true),
            serverValue: .text(sources.serverState?.session?.id, isCode: true))
        if fact.differs {
            fact.discrepancy = Discrepancy(
                kind: .sessionMismatch, outlier: .token,
                explanation: "The token is of another session than its refresh token.",
                fix: "Signing in again stores one session's tokens.")
        }
        return fact
    }

    var accessTokenExpiry: ComparedField {
        let end = session.accessToken?.expiresAt
        let told = sources.deviceValue(["expiresIn", "expires_in", "expiresAt"])?.scalarText
        let kept = told.flatMap { Date(iso8601: $0) }
        var fact = ComparedField(
            id: "accessUntil", name: "Access token until",
            deviceValue: kept.map { .content(epochSeconds($0), shownAs: formatTime($0)) } ?? .none,
            tokenValue: end.map { .content(epochSeconds($0), shownAs: formatTime($0)) } ?? .none,
            serverValue: serverExpiry(end))
        // A phone counts from when the answer came.
        if let kept, let end, abs(kept.timeIntervalSince(end)) <= 5 {
            fact.deviceValue = .content(epochSeconds(end), shownAs: formatTime(kept))
        }
        if let end, end <= sources.now, sources.isLive, sources.hasAccessToken {
            fact.discrepancy = Discrepancy(
                kind: .expired, outlier: .token,
                explanation: "The token is over on this clock, and still stored.",
                fix: canRefresh
                    ? "The app's next call refreshes it." : "Signing in again brings a new one.")
        } else if fact.differs {
            fact.discrepancy = Discrepancy(
                kind: .valueMismatch, outlier: .device,
                explanation: "The app counts on another end than the token tells.",
                fix: canRefresh
                    ? "A refresh stores both anew." : "Signing in again stores both anew.")
        }
        return fact
    }

    /// The server ends a token of its own when that says so.
    private func serverExpiry(_ end: Date?) -> SourceValue {
        guard let end, isEmbedded, sources.verdict?.status == .verified else { return .none }
        return .content(epochSeconds(end), shownAs: formatTime(end))
    }

    private func epochSeconds(_ date: Date) -> String {
        String(Int(clamping: date.timeIntervalSince1970.rounded()))
    }

    var issuedAt: ComparedField {
        let known = sources.serverState?.session.map { $0.refreshedAt ?? $0.createdAt }
        return ComparedField(
            id: "issued", name: "Issued",
            deviceValue: session.accessToken.map {
                .content("stored", shownAs: "kept \(formatTime($0.receivedAt))")
            }
                ?? .none,
            tokenValue: session.accessToken?.issuedAt.map {
                .content("claimed", shownAs: formatTime($0))
            } ?? .none,
            serverValue: known.map { .content("known", shownAs: "last \(formatTime($0))") }
                ?? .none, isCompared: false)
    }

    var generation: ComparedField {
        var fact = ComparedField(
            id: "generation", name: "Refresh generation", deviceValue: .none, tokenValue: .none,
            serverValue: .none)
        guard session.refreshToken != nil else { return fact }
        let own = sources.generations.currentGeneration
        guard let sessionState = sources.serverState else {
            fact.deviceValue = .text(String(own))
            fact.serverValue = .unknown("not told")
            return fact
        }
        let presented = sessionState.requestedTokens.last ?? nil
        fact.deviceValue =
            sources.hasRefreshToken
            ? .content(
                String(presented?.generation ?? own),
                shownAs: Lineage.label(own, server: presented?.generation)) : .none
        guard let known = sessionState.session, known.generation > 0 else { return fact }
        let current = String(known.generation)
        let isDead = known.revokedAt != nil
        fact.serverValue = .content(
            isDead ? "dead" : current, shownAs: isDead ? "\(current), family dead" : current)
        guard sources.hasRefreshToken else { return fact }
        if isDead {
            fact.discrepancy = Discrepancy(
                kind: .revoked, outlier: .server,
                explanation: "No refresh token of this family is taken any more.",
                fix: "Signing in again begins a new family.")
        } else if presented == nil {
            fact.deviceValue = .content("stranger", shownAs: "one of another hand")
            fact.discrepancy = Discrepancy(
                kind: .unknownRefreshToken, outlier: .device,
                explanation: "The server never gave the stored refresh token, or forgot it.",
                fix: "Signing in again begins a new family.")
        } else if let presented, presented.generation < known.generation {
            fact.discrepancy = generationMismatch(presented, newest: known.generation, own)
        }
        return fact
    }

    /// What was used stands elsewhere than what only fell behind.
    private func generationMismatch(
        _ presented: EmbeddedBackend.RefreshTokenInfo, newest: Int, _ own: Int
    )
        -> Discrepancy
    {
        let newest = Lineage.serverLabel(newest)
        guard let used = presented.usedAt else {
            return Discrepancy(
                kind: .generationMismatch, outlier: .device,
                explanation: "Generation \(own) was not used yet; another branch is at \(newest).",
                fix: "Refreshing now is its first use.")
        }
        return Discrepancy(
            kind: .generationMismatch, outlier: .device,
            explanation: "Generation \(own) was used at \(formatTime(used)), and "
                + "\(newest) never reached this device.",
            fix: "Refreshing now shows whether the server forgives it or ends the family.")
    }

    var signature: ComparedField {
        guard let summary = session.accessToken, summary.isJWT else {
            return ComparedField(
                id: "signature", name: "Signature", deviceValue: .none,
                tokenValue: session.accessToken == nil
                    ? .none : .content("opaque", shownAs: "opaque"),
                serverValue: .none)
        }
        let key = summary.keyID.map { "key \($0.suffix(4))" }
        let claims = [summary.algorithm, key].compactMap(\.self).joined(separator: ", ")
        var fact = ComparedField(
            id: "signature", name: "Signature", deviceValue: .none,
            tokenValue: .content("signed", shownAs: claims.isEmpty ? "unsigned" : claims),
            serverValue: .unknown(sources.verdict == nil ? "not checked" : "no key known here"))
        switch sources.verdict?.status {
        case .verified?:
            fact.serverValue = .content(
                "signed",
                shownAs: (sources.verdict?.keyID.map { "key \($0.suffix(4))" } ?? "the key")
                    + " is published")
        case .invalid?:
            fact.serverValue = .content("wrong", shownAs: "signature wrong")
            fact.discrepancy = Discrepancy(
                kind: .invalidSignature, outlier: .token,
                explanation: "The token was changed, or somebody else made it.",
                fix: canRefresh
                    ? "A refresh brings one the server signed."
                    : "Signing in again brings one the server signed.")
        case .unverified? where isEmbedded:
            fact.serverValue = .content("unknown", shownAs: "key unknown")
            fact.discrepancy = Discrepancy(
                kind: .unknownKey, outlier: .token,
                explanation: "It names a key this server never published.",
                fix: canRefresh
                    ? "A refresh brings one signed with a key of its own."
                    : "Signing in again brings one signed with its own.")
        default: break
        }
        return fact
    }
}
