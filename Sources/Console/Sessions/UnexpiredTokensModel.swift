import FoundationEssentials
import Inspection
import Simulator
import Web

/// The unexpired access tokens of a sign-in: a backend that checks only signature and expiry still
/// accepts them.
struct UnexpiredTokensModel: Encodable, Sendable {
    /// `Access tokens still valid`, or that they were rejected.
    var title: String
    var text: String
    var tokens: [TokenRow]

    struct TokenRow: Encodable, Sendable {
        /// `Generation 2`, `Generation 3b, second client`.
        var name: String
        var masked: String
        var countdown: CountdownModel?
        /// Set if the backend rejected the token, so that its expiry no longer matters.
        var rejectedChip: ChipModel?
        /// `Expires 14:39:02`, `No expiry`.
        var expiryText: String
        /// Its number among the archived tokens; empty for the stored one.
        var number: String
        var lastProbe: ProbeModel?
    }

    /// `now` is the workspace's time, `systemNow` the clock that dates responses.
    init(_ tokens: [UnexpiredToken], hasEnded: Bool, now: Date, systemNow: Date) {
        let acceptedCount = tokens.count { !$0.isRejected }
        title = "Access tokens still valid"
        if tokens.isEmpty {
            text =
                hasEnded
                ? "No unexpired access tokens of this sign-in." : "Only the one on the device."
        } else if acceptedCount == 0 {
            title = "Access tokens rejected before expiry"
            text =
                "The backend rejected " + (tokens.count == 1 ? "it" : "all of them")
                + " at the last check: it checks more than signature and expiry."
        } else {
            text =
                (hasEnded
                    ? "The session has ended, but these are self-contained. "
                    : "A refresh replaces a token but does not revoke it. ")
                + "A backend that checks only signature and expiry accepts "
                + "\(acceptedCount == 1 ? "it" : "them") until then."
        }
        self.tokens = tokens.map { token in
            let summary = token.token
            return TokenRow(
                name: token.name, masked: summary.maskedValue,
                countdown: token.isRejected
                    ? nil
                    : CountdownModel.lifetime(
                        of: summary, named: token.name, testID: "session.unexpired.countdown",
                        now: now),
                rejectedChip: token.isRejected
                    ? ChipModel(text: "Rejected", tone: .bad, chipIcon: "cross") : nil,
                expiryText: summary.expiresAt.map { "Expires \(Format.dateTime($0))" }
                    ?? "No expiry", number: token.number.map { String($0) } ?? "",
                // The status card shows the stored token's last check.
                lastProbe: token.number == nil
                    ? nil
                    : token.response.map { ProbeModel($0, hasEnded: hasEnded, now: systemNow) })
        }
    }
}

/// An access token before its expiry.
struct UnexpiredToken: Sendable {
    var name: String
    var token: Session.TokenSummary
    /// Its number among the archived tokens; nil for the stored one.
    var number: Int?
    /// The backend's last response to it.
    var response: SessionObservation?

    var isRejected: Bool { response?.isAccepted == false }

    /// The unexpired tokens of a session, the newest first. The stored one is included only after
    /// the server ended the session.
    static func all(
        _ sources: SessionSources, archived: [ArchivedToken],
        lastProbe: (_ maskedValue: String) -> SessionObservation?
    ) -> [UnexpiredToken] {
        func isUnexpired(_ summary: Session.TokenSummary) -> Bool {
            summary.expiresAt.map { $0 > sources.now } ?? sources.hasEnded
        }
        var seen: Set<String> = []
        var unexpired: [UnexpiredToken] = []
        if let summary = sources.session.accessToken, isUnexpired(summary), sources.hasAccessToken {
            seen.insert(summary.maskedValue)
            if sources.hasEnded {
                // Any call of the app also checks the stored token.
                let response = sources.currentTokenResponse ?? lastProbe(summary.maskedValue)
                unexpired.append(.init(name: "On the device", token: summary, response: response))
            }
        }
        for token in archived.reversed()
        where token.kind == .access && isUnexpired(token.summary)
            && seen.insert(token.summary.maskedValue).inserted
        {
            unexpired.append(
                .init(
                    name: sources.generations.title(of: token), token: token.summary,
                    number: token.number, response: lastProbe(token.summary.maskedValue)))
        }
        return unexpired
    }
}

/// The result of a token check at a backend.
struct ProbeModel: Encodable, Sendable {
    /// `Accepted just now`.
    var resultText: String
    /// `ok`, `bad` or empty.
    var tone: String
    /// `check`, `cross`, `info`.
    var resultIcon: String
    /// `me 200, 14:35:22`.
    var detail: String
    var duration: String
    var exchangeURL: String

    /// `now` is the system time. If the session `hasEnded`, an earlier acceptance is not current.
    init(_ observation: SessionObservation, hasEnded: Bool, now: Date) {
        let isRecent = now.timeIntervalSince(observation.observedAt) < 60
        let isFresh = isRecent && (!hasEnded || observation.hadEnded == true)
        switch observation.isAccepted {
        case true?:
            resultText =
                isFresh
                ? "Accepted just now"
                : hasEnded && observation.hadEnded == false
                    ? "Last check: accepted, before the session ended" : "Last check: accepted"
            (tone, resultIcon) = ("ok", "check")
        case false?:
            resultText = isRecent ? "Rejected just now" : "Last check: rejected"
            (tone, resultIcon) = ("bad", "cross")
        case nil:
            resultText = "No result"
            (tone, resultIcon) = ("", "info")
        }
        detail =
            observation.call + " " + (observation.status.map { String($0) } ?? "no response") + ", "
            + Format.dateTime(observation.at)
        duration = Format.milliseconds(observation.totalMilliseconds)
        exchangeURL = Links.exchange(observation.exchange)
    }
}
