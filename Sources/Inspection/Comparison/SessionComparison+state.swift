import Backend
import FoundationEssentials
import Simulator
import Web

/// The session's state as each source reports it.
extension SessionComparison {
    package var state: ComparedField {
        var field = ComparedField(
            id: "state", name: "State",
            deviceValue: .content(
                sources.isLive && sources.hasAccessToken ? "open" : "ended",
                shownAs: sources.isLive && sources.hasAccessToken ? "Signed in" : endedText),
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
        case .revoked: "Signed out locally" + timeSuffix(session.endedAt)
        default: "Signed out" + timeSuffix(session.endedAt)
        }
    }

    private func timeSuffix(_ date: Date?) -> String { date.map { " \(formatTime($0))" } ?? "" }

    // MARK: The embedded backend

    private func state(_ sessionState: ServerSessionState) -> (SourceValue, Discrepancy?) {
        let isOpen = sources.isLive && sources.hasAccessToken
        guard let account = sessionState.account else {
            return sessionState.isAccessTokenRecognized
                ? (
                    .content("ended", shownAs: "Account deleted"),
                    isOpen
                        ? serverDiscrepancy(
                            .accountDeleted, "The account and its sessions were deleted.",
                            "It cannot be restored. Clear the tokens or register again.") : nil
                ) : unknownTokenResult(isOpen)
        }
        if let disabled = account.disabledAt, isOpen {
            return (
                .content("ended", shownAs: "Account disabled\(timeSuffix(disabled))"),
                serverDiscrepancy(
                    .accountDisabled,
                    "The account is disabled. The server rejects its tokens where it checks the "
                        + "account.", "Enable it on the accounts page.")
            )
        }
        guard let serverSession = sessionState.session else {
            return (
                .content("ended", shownAs: "No such session"),
                isOpen
                    ? serverDiscrepancy(
                        .unknownSession, "The server does not have this session.",
                        "Sign in again to start a new one.") : nil
            )
        }
        if let revoked = serverSession.revokedAt {
            return (
                .content("ended", shownAs: "Revoked\(timeSuffix(revoked))"),
                isOpen
                    ? serverDiscrepancy(
                        .revoked,
                        "The server ended the session"
                            + (serverSession.revocationReason.map { ", \($0)" } ?? "")
                            + ". The device has not noticed. " + noticeText,
                        "Sign in again to start a new session.") : nil
            )
        }
        if let locked = account.lockedUntil, locked > sources.now, isOpen {
            return (
                .content("open", shownAs: "Locked until \(formatTime(locked))"),
                serverDiscrepancy(
                    .accountLocked, "The account is locked after too many attempts.",
                    "It unlocks at \(formatTime(locked)).")
            )
        }
        return (
            .content("open", shownAs: "Active"),
            isOpen
                ? nil
                : Discrepancy(
                    kind: .openOnServer, outlier: .server,
                    explanation: "The device cleared its tokens. The server was not notified or "
                        + "does not end sessions.",
                    fix: "Sign out everywhere to end it on the server.")
        )
    }

    /// The result for an access token that the server did not issue.
    private func unknownTokenResult(_ isOpen: Bool) -> (SourceValue, Discrepancy?) {
        (
            .content("ended", shownAs: "Unknown token"),
            isOpen
                ? serverDiscrepancy(
                    .unknownSession, "The server did not issue the stored access token.",
                    canRefresh ? "Refresh to get a new one." : "Sign in again to get a new one.")
                : nil
        )
    }

    private func serverDiscrepancy(_ kind: Discrepancy.Kind, _ reason: String, _ fix: String)
        -> Discrepancy
    { Discrepancy(kind: kind, outlier: .server, explanation: reason, fix: fix) }

    /// When the device will notice.
    private var noticeText: String {
        if let observation = sources.lastResponse, observation.isAccepted == true,
            observation.hadEnded == true, let end = session.accessToken?.expiresAt,
            end > sources.now
        {
            return "It will notice on its first request after \(formatTime(end))."
        }
        return "It will notice when a request is rejected."
    }

    // MARK: A real backend

    /// The state according to the backend's last response.
    private var lastResponseState: (SourceValue, Discrepancy?) {
        guard let observation = sources.lastResponse else { return (.unknown("Not checked"), nil) }
        let timeText = " \(formatTime(observation.at))"
        switch observation.isAccepted {
        case true?:
            return (
                .content(sources.isLive ? "open" : "ended", shownAs: "Accepted" + timeText), nil
            )
        case false?:
            let status = observation.status.map { " with \($0)" } ?? ""
            return (
                .content("ended", shownAs: "Rejected" + timeText),
                sources.isLive && sources.hasAccessToken
                    ? serverDiscrepancy(
                        .refused, "The backend rejected \(observation.call)\(status).",
                        canRefresh
                            ? "A refresh may get an accepted token."
                            : "Sign in again to get a new token.") : nil
            )
        case nil: return (.unknown("No result" + timeText), nil)
        }
    }
}
