import FoundationEssentials
import Simulator
import Web

/// The access tokens of a sign-in whose own end has not come: a backend that
/// looks only at signature and end would still take them.
struct UnexpiredTokensModel: Encodable, Sendable {
    /// `Access tokens not yet over`, or that they were refused.
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
        /// That its backend refused it, so that its own end counts no more.
        var refusedChip: ChipModel?
        /// `until 14:39:02`, `no end told`.
        var expiryText: String
        /// POST; nil where the app has no call that would tell.
        var probeAction: String?
        /// Its number among the kept tokens; empty for the stored one.
        var number: String
        var lastProbe: ProbeModel?
    }

    /// `now` is the workspace's time, `real` the one answers are dated by.
    init(
        _ tokens: [UnexpiredToken], hasEnded: Bool, probeAction: String?,
        probes: [String: SessionObservation],
        now: Date, systemNow: Date
    ) {
        anyTokens = !tokens.isEmpty
        let refused = Set(probes.filter { $0.value.isAccepted == false }.keys)
        let open = tokens.filter { !refused.contains($0.token.maskedValue) }
        title =
            tokens.isEmpty || !open.isEmpty
            ? "Access tokens not yet over" : "Access tokens refused before their end"
        text =
            tokens.isEmpty
            ? (hasEnded
                ? "None of this sign-in is left whose own end has not come."
                : "None but the one on the phone.")
            : open.isEmpty
                ? "The backend refused " + (tokens.count == 1 ? "it" : "each of them")
                    + " when it was asked: it does not look at signature and end alone."
                : (hasEnded
                    ? "The session is over, but these carry their own end. "
                    : "A refresh replaces a token, it does not end it. ")
                    + "A backend that looks only at signature and end takes "
                    + "\(open.count == 1 ? "one" : "them") until then."
        self.tokens = tokens.map { token in
            let summary = token.token
            let isRefused = refused.contains(summary.maskedValue)
            return TokenRow(
                name: token.name, masked: summary.maskedValue, testID: "session.window",
                countdown: isRefused
                    ? nil
                    : CountdownModel.lifetime(
                        of: summary, named: token.name, testID: "session.window.countdown", now: now
                    ),
                refusedChip: isRefused
                    ? ChipModel(text: "refused", tone: .bad, chipIcon: "cross") : nil,
                expiryText: summary.expiresAt.map {
                    (isRefused ? "tells until " : "until ") + Format.dateTime($0)
                } ?? "no end told", probeAction: probeAction,
                number: token.number.map { String($0) } ?? "",
                // Of the stored one the card above tells it.
                lastProbe: token.number == nil
                    ? nil
                    : probes[summary.maskedValue].map {
                        ProbeModel($0, hasEnded: hasEnded, now: systemNow)
                    })
        }
    }
}

/// An access token whose end has not come.
struct UnexpiredToken: Sendable {
    var name: String
    var token: Session.TokenSummary
    /// Among the kept tokens; nil for the stored one.
    var number: Int?

    /// Those of a session, the newest first; the stored one only once the
    /// session is over for the server.
    static func all(
        _ session: Session, kept: [ArchivedToken], generations: TokenGenerations, hasEnded: Bool,
        hasAccessToken: Bool, now: Date
    ) -> [UnexpiredToken] {
        func lives(_ summary: Session.TokenSummary) -> Bool {
            summary.expiresAt.map { $0 > now } ?? hasEnded
        }
        var seen: Set<String> = []
        var living: [UnexpiredToken] = []
        if let summary = session.accessToken, lives(summary), hasAccessToken {
            seen.insert(summary.maskedValue)
            if hasEnded { living.append(.init(name: "On the phone", token: summary)) }
        }
        for token in kept.reversed()
        where token.kind == .access && lives(token.summary)
            && seen.insert(token.summary.maskedValue).inserted
        {
            living.append(
                .init(
                    name: generations.title(of: token), token: token.summary, number: token.number))
        }
        return living
    }
}
