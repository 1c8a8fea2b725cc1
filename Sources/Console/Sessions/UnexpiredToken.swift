import FoundationEssentials
import Inspection
import Simulator
import Templates
import Web

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

extension UnexpiredToken {
    /// The unexpired access tokens of a sign-in: a backend that checks only signature and expiry
    /// still accepts them. `now` is the workspace's time, `systemNow` the clock that dates
    /// responses.
    static func model(_ tokens: [UnexpiredToken], hasEnded: Bool, now: Date, systemNow: Date)
        -> TemplateModel
    {
        let acceptedCount = tokens.count { !$0.isRejected }
        var title = "Access tokens still valid"
        let text: String
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
        return [
            "title": title, "text": text,
            "tokens": tokens.map { $0.model(hasEnded: hasEnded, now: now, systemNow: systemNow) },
        ]
    }

    private func model(hasEnded: Bool, now: Date, systemNow: Date) -> TemplateModel {
        let countdown = CountdownModel.lifetime(
            of: token, named: name, testID: "session.unexpired.countdown", now: now)
        return [
            "name": name, "masked": token.maskedValue,
            // The expiry of a rejected token no longer matters.
            "countdown": isRejected ? nil : countdown,
            "rejectedChip": isRejected
                ? ChipModel(text: "Rejected", tone: .bad, chipIcon: "cross") : nil,
            "expiryText": token.expiresAt.map { "Expires \(Format.dateTime($0))" } ?? "No expiry",
            "number": number.map { String($0) } ?? "",
            // The status card shows the stored token's last check.
            "lastProbe": number == nil ? nil : response?.model(hasEnded: hasEnded, now: systemNow),
        ]
    }
}

extension SessionObservation {
    /// The result of a token check at a backend (`sessions/probe`); `now` is the system time. If
    /// the session `hasEnded`, an earlier acceptance is not current.
    func model(hasEnded: Bool, now: Date) -> TemplateModel {
        let isRecent = now.timeIntervalSince(observedAt) < 60
        let isFresh = isRecent && (!hasEnded || hadEnded == true)
        let (text, tone, icon) =
            switch isAccepted {
            case true? where isFresh: ("Accepted just now", "ok", "check")
            case true? where hasEnded && hadEnded == false:
                ("Last check: accepted, before the session ended", "ok", "check")
            case true?: ("Last check: accepted", "ok", "check")
            case false?:
                (isRecent ? "Rejected just now" : "Last check: rejected", "bad", "cross")
            case nil: ("No result", "", "info")
            }
        return [
            "resultText": text, "tone": tone, "resultIcon": icon,
            "detail": call + " " + (status.map { String($0) } ?? "no response") + ", "
                + Format.dateTime(at), "duration": Format.milliseconds(totalMilliseconds),
            "exchangeURL": Links.exchange(exchange),
        ]
    }
}
