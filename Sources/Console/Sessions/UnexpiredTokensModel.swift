import FoundationEssentials
import Simulator
import Web

/// The unexpired access tokens of a sign-in: a backend that checks only signature and expiry still
/// accepts them.
struct UnexpiredTokensModel: Encodable, Sendable {
    /// `Access tokens not yet over`, or that they were rejected.
    var title: String
    var text: String
    var anyTokens: Bool
    var tokens: [TokenRow]

    struct TokenRow: Encodable, Sendable {
        /// `Generation 2`, `Generation 3b, the other tab's`.
        var name: String
        var masked: String
        var testID: String
        var countdown: CountdownModel?
        /// Set if the backend rejected the token, so that its expiry no longer matters.
        var refusedChip: ChipModel?
        /// `until 14:39:02`, `no end told`.
        var expiryText: String
        /// POST; nil if the app has no call that checks the token.
        var probeAction: String?
        /// Its number among the archived tokens; empty for the stored one.
        var number: String
        var lastProbe: ProbeModel?
    }

    /// `now` is the workspace's time, `systemNow` the clock that dates responses.
    init(
        _ tokens: [UnexpiredToken], hasEnded: Bool, probeAction: String?,
        probes: [String: SessionObservation],
        now: Date, systemNow: Date
    ) {
        anyTokens = !tokens.isEmpty
        let rejectedValues = Set(probes.filter { $0.value.isAccepted == false }.keys)
        let notRejected = tokens.filter { !rejectedValues.contains($0.token.maskedValue) }
        title =
            tokens.isEmpty || !notRejected.isEmpty
            ? "Access tokens not yet over" : "Access tokens refused before their end"
        text =
            tokens.isEmpty
            ? (hasEnded
                ? "None of this sign-in is left whose own end has not come."
                : "None but the one on the phone.")
            : notRejected.isEmpty
                ? "The backend refused " + (tokens.count == 1 ? "it" : "each of them")
                    + " when it was asked: it does not look at signature and end alone."
                : (hasEnded
                    ? "The session is over, but these carry their own end. "
                    : "A refresh replaces a token, it does not end it. ")
                    + "A backend that looks only at signature and end takes "
                    + "\(notRejected.count == 1 ? "one" : "them") until then."
        self.tokens = tokens.map { token in
            let summary = token.token
            let isRejected = rejectedValues.contains(summary.maskedValue)
            return TokenRow(
                name: token.name, masked: summary.maskedValue, testID: "session.window",
                countdown: isRejected
                    ? nil
                    : CountdownModel.lifetime(
                        of: summary, named: token.name, testID: "session.window.countdown", now: now
                    ),
                refusedChip: isRejected
                    ? ChipModel(text: "refused", tone: .bad, chipIcon: "cross") : nil,
                expiryText: summary.expiresAt.map {
                    (isRejected ? "tells until " : "until ") + Format.dateTime($0)
                } ?? "no end told", probeAction: probeAction,
                number: token.number.map { String($0) } ?? "",
                // The status card shows the stored token's last check.
                lastProbe: token.number == nil
                    ? nil
                    : probes[summary.maskedValue].map {
                        ProbeModel($0, hasEnded: hasEnded, now: systemNow)
                    })
        }
    }
}

/// An access token before its expiry.
struct UnexpiredToken: Sendable {
    var name: String
    var token: Session.TokenSummary
    /// Its number among the archived tokens; nil for the stored one.
    var number: Int?

    /// The unexpired tokens of a session, the newest first. The stored one is included only after
    /// the server ended the session.
    static func all(
        _ session: Session, kept archivedTokens: [ArchivedToken], generations: TokenGenerations,
        hasEnded: Bool,
        hasAccessToken: Bool, now: Date
    ) -> [UnexpiredToken] {
        func isUnexpired(_ summary: Session.TokenSummary) -> Bool {
            summary.expiresAt.map { $0 > now } ?? hasEnded
        }
        var seen: Set<String> = []
        var unexpired: [UnexpiredToken] = []
        if let summary = session.accessToken, isUnexpired(summary), hasAccessToken {
            seen.insert(summary.maskedValue)
            if hasEnded { unexpired.append(.init(name: "On the phone", token: summary)) }
        }
        for token in archivedTokens.reversed()
        where token.kind == .access && isUnexpired(token.summary)
            && seen.insert(token.summary.maskedValue).inserted
        {
            unexpired.append(
                .init(
                    name: generations.title(of: token), token: token.summary, number: token.number))
        }
        return unexpired
    }
}
