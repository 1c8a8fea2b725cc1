import Backend
import FoundationEssentials
import Simulator
import Web

/// The tokens as each source reports them.
extension SessionComparison {
    var sessionID: ComparedField {
        ComparedField(
            id: "session", name: "Session ID",
            tokenValue: .text(sources.tokenValue(ClaimAliases.session)?.scalarText, isCode: true),
            serverValue: .text(sources.serverState?.session?.id, isCode: true)
        ).explained(
            .sessionMismatch, outlier: .token,
            "Access token and refresh token belong to different sessions.",
            fix: "Sign in again to store the tokens of one session.")
    }

    var accessTokenExpiry: ComparedField {
        let expiresAt = session.accessToken?.expiresAt
        let storedText = sources.deviceValue(["expiresIn", "expires_in", "expiresAt"])?.scalarText
        let storedExpiry = storedText.flatMap { Date(iso8601: $0) }
        let isVerified = isEmbedded && sources.verdict?.status == .verified
        var field = ComparedField(
            id: "accessUntil", name: "Access token expires", deviceValue: time(storedExpiry),
            tokenValue: time(expiresAt),
            // The embedded backend uses the `exp` of the tokens it signed.
            serverValue: time(isVerified ? expiresAt : nil))
        // A device computes the expiry from the time when it received the response.
        if let storedExpiry, let expiresAt, abs(storedExpiry.timeIntervalSince(expiresAt)) <= 5 {
            field.deviceValue = .content(epochSeconds(expiresAt), shownAs: formatTime(storedExpiry))
        }
        if let expiresAt, expiresAt <= sources.now, sources.isLive, sources.hasAccessToken {
            field.discrepancy = Discrepancy(
                .expired, .token, "The stored token has expired on this clock.",
                fix: canRefresh
                    ? "The app refreshes it on its next request."
                    : "Sign in again to get a new one.")
            return field
        }
        return field.explained(
            .valueMismatch, outlier: .device,
            "The app stored another expiry than the token's claim.",
            fix: renewal("update both"))
    }

    /// A time, compared to the second.
    private func time(_ date: Date?) -> SourceValue {
        date.map { .content(epochSeconds($0), shownAs: formatTime($0)) } ?? .none
    }

    private func epochSeconds(_ date: Date) -> String {
        String(Int(clamping: date.timeIntervalSince1970.rounded()))
    }

    var issuedAt: ComparedField {
        func time(_ date: Date?, _ word: String, _ prefix: String) -> SourceValue {
            date.map { .content(word, shownAs: prefix + formatTime($0)) } ?? .none
        }
        let serverSession = sources.serverState?.session
        return ComparedField(
            id: "issued", name: "Issued",
            deviceValue: time(session.accessToken?.receivedAt, "stored", "Stored "),
            tokenValue: time(session.accessToken?.issuedAt, "claimed", ""),
            serverValue: time(
                (serverSession?.refreshedAt ?? serverSession?.createdAt)?.date, "known",
                "Last issued "),
            isCompared: false)
    }

    var generation: ComparedField {
        var field = ComparedField(id: "generation", name: "Refresh generation")
        guard session.refreshToken != nil else { return field }
        let deviceGeneration = sources.generations.currentGeneration
        guard let sessionState = sources.serverState else {
            field.deviceValue = .text(String(deviceGeneration))
            field.serverValue = .unknown("Unknown")
            return field
        }
        let serverToken = sessionState.requestedTokens.last ?? nil
        field.deviceValue =
            sources.hasRefreshToken
            ? .content(
                String(serverToken?.generation ?? deviceGeneration),
                shownAs: Lineage.label(deviceGeneration, server: serverToken?.generation)) : .none
        guard let serverSession = sessionState.session, serverSession.generation > 0 else {
            return field
        }
        let current = String(serverSession.generation)
        let isRevoked = serverSession.revokedAt != nil
        field.serverValue = .content(
            isRevoked ? "revoked" : current,
            shownAs: isRevoked ? "\(current), token family revoked" : current)
        guard sources.hasRefreshToken else { return field }
        if isRevoked {
            field.discrepancy = Discrepancy(
                .revoked, .server, "Refresh tokens of this family are no longer accepted.",
                fix: "Sign in again to start a new family.")
        } else if serverToken == nil {
            field.deviceValue = .content("unknown", shownAs: "Unknown token")
            field.discrepancy = Discrepancy(
                .unknownRefreshToken, .device, "The server does not know the stored refresh token.",
                fix: "Sign in again to start a new family.")
        } else if let serverToken, serverToken.generation < serverSession.generation {
            field.discrepancy = generationMismatch(
                serverToken, newest: serverSession.generation, deviceGeneration)
        }
        return field
    }

    /// Distinguishes a used refresh token from one that is only behind.
    private func generationMismatch(
        _ serverToken: EmbeddedBackend.RefreshTokenInfo, newest: Int, _ current: Int
    ) -> Discrepancy {
        let newest = Lineage.serverLabel(newest)
        guard let usedAt = serverToken.usedAt else {
            return Discrepancy(
                .generationMismatch, .device,
                "Generation \(current) is unused. Another branch is at \(newest).",
                fix: "A refresh now would be its first use.")
        }
        return Discrepancy(
            .generationMismatch, .device,
            "Generation \(current) was used at \(formatTime(usedAt)), and \(newest) "
                + "never reached this device.",
            fix: "Refresh to see whether the server accepts the reuse or revokes the family.")
    }

    var signature: ComparedField {
        var field = ComparedField(id: "signature", name: "Signature")
        guard let summary = session.accessToken else { return field }
        guard summary.isJWT else {
            field.tokenValue = .content("opaque", shownAs: "Opaque")
            return field
        }
        let key = summary.keyID.map { "key \($0.suffix(4))" }
        let claims = [summary.algorithm, key].compactMap(\.self).joined(separator: ", ")
        field.tokenValue = .content("signed", shownAs: claims.isEmpty ? "Unsigned" : claims)
        let fix = renewal("get one signed by the server")
        switch sources.verdict?.status {
        case .verified?:
            let keyName = sources.verdict?.keyID.map { "Key \($0.suffix(4))" } ?? "Key"
            field.serverValue = .content("signed", shownAs: keyName + " published")
        case .invalid?:
            field.serverValue = .content("invalid", shownAs: "Invalid signature")
            field.discrepancy = Discrepancy(
                .invalidSignature, .token,
                "The token was modified or not issued by this server.", fix: fix)
        case .unverified? where isEmbedded:
            field.serverValue = .content("unknown", shownAs: "Unknown key")
            field.discrepancy = Discrepancy(
                .unknownKey, .token, "The token names a key that this server never published.",
                fix: fix)
        default:
            field.serverValue = .unknown(sources.verdict == nil ? "Not checked" : "No known key")
        }
        return field
    }
}
