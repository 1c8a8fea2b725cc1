import Backend
import FoundationEssentials
import Simulator
import Web

/// The session's state as each source reports it.
extension SessionComparison {
    var state: ComparedField {
        var field = ComparedField(
            id: "state", name: "State",
            deviceValue: .content(
                sources.isLive && sources.hasAccessToken ? "open" : "over",
                shownAs: sources.isLive && sources.hasAccessToken ? "signed in" : endedText),
            tokenValue: .none, serverValue: .none)
        if let sessionState = sources.serverState {
            (field.serverValue, field.discrepancy) = state(sessionState)
        } else {
            (field.serverValue, field.discrepancy) = lastResponseState
        }
        return field
    }

    private var endedText: String {
        switch session.state {
        case .revoked: "given up" + timeSuffix(session.endedAt)
        default: "signed out" + timeSuffix(session.endedAt)
        }
    }

    private func timeSuffix(_ date: Date?) -> String { date.map { " \(formatTime($0))" } ?? "" }

    // MARK: The embedded backend

    private func state(_ sessionState: ServerSessionState) -> (SourceValue, Discrepancy?) {
        let isOpen = sources.isLive && sources.hasAccessToken
        guard let account = sessionState.account else {
            return sessionState.isAccessTokenRecognized
                ? (
                    .content("over", shownAs: "account deleted"),
                    isOpen
                        ? serverDiscrepancy(
                            .accountDeleted,
                            "The account is gone, and its sessions with it.",
                            "Nothing brings it back; forget the tokens, or "
                                + "register anew.") : nil
                ) : unknownTokenResult(isOpen)
        }
        if let disabled = account.disabledAt, isOpen {
            return (
                .content("over", shownAs: "account disabled\(timeSuffix(disabled))"),
                serverDiscrepancy(
                    .accountDisabled,
                    "The account was disabled; what it holds is refused "
                        + "where the server looks.", "Enable it again on the accounts page.")
            )
        }
        guard let serverSession = sessionState.session else {
            return (
                .content("over", shownAs: "no such session"),
                isOpen
                    ? serverDiscrepancy(
                        .unknownSession, "The server forgot the session, or never had it.",
                        "Signing in again begins one.") : nil
            )
        }
        if let revoked = serverSession.revokedAt {
            return (
                .content("over", shownAs: "revoked\(timeSuffix(revoked))"),
                isOpen
                    ? serverDiscrepancy(
                        .revoked,
                        "The server ended it"
                            + (serverSession.revocationReason.map { ", \($0)" } ?? "")
                            + "; the phone does not know yet. " + noticeText,
                        "Signing in again begins a new session.") : nil
            )
        }
        if let locked = account.lockedUntil, locked > sources.now, isOpen {
            return (
                .content("open", shownAs: "locked until \(formatTime(locked))"),
                serverDiscrepancy(
                    .accountLocked, "The account is locked after too many attempts.",
                    "It opens by itself at \(formatTime(locked)).")
            )
        }
        return (
            .content("open", shownAs: "active"),
            isOpen
                ? nil
                : Discrepancy(
                    kind: .openOnServer, outlier: .server,
                    explanation: "The device forgot its tokens; the server was not "
                        + "told, or does not end sessions.",
                    fix: "Signing out everywhere ends it there.")
        )
    }

    /// The result for an access token that the server did not issue.
    private func unknownTokenResult(_ isOpen: Bool) -> (SourceValue, Discrepancy?) {
        (
            .content("over", shownAs: "not a token of this server"),
            isOpen
                ? serverDiscrepancy(
                    .unknownSession, "The stored access token is none the server gave.",
                    canRefresh
                        ? "A refresh would bring one of its own."
                        : "Signing in again would bring one of its own.") : nil
        )
    }

    private func serverDiscrepancy(_ kind: Discrepancy.Kind, _ reason: String, _ fix: String)
        -> Discrepancy
    {
        Discrepancy(kind: kind, outlier: .server, explanation: reason, fix: fix)
    }

    /// When the device will notice.
    private var noticeText: String {
        if let observation = sources.lastResponse, observation.isAccepted == true,
            observation.hadEnded == true,
            let end = session.accessToken?.expiresAt, end > sources.now
        {
            return "It will on its first call after \(formatTime(end))."
        }
        return "It will when a call is refused."
    }

    // MARK: A real backend

    /// The state according to the backend's last response.
    private var lastResponseState: (SourceValue, Discrepancy?) {
        guard let observation = sources.lastResponse else {
            return (.unknown("not asked yet"), nil)
        }
        let timeText = " \(formatTime(observation.at))"
        switch observation.isAccepted {
        case true?:
            return (.content(sources.isLive ? "open" : "over", shownAs: "took it" + timeText), nil)
        case false?:
            let status = observation.status.map { " with \($0)" } ?? ""
            return (
                .content("over", shownAs: "refused" + timeText),
                sources.isLive && sources.hasAccessToken
                    ? serverDiscrepancy(
                        .refused, "The backend answered \(observation.call)\(status).",
                        canRefresh
                            ? "A refresh may bring a token it takes."
                            : "Signing in again brings a new token.") : nil
            )
        case nil: return (.unknown("did not tell" + timeText), nil)
        }
    }
}
