import Backend
import FoundationEssentials
import Simulator

/// The session's state as each source reports it.
extension SessionComparison {
    package var state: ComparedField {
        var field = ComparedField(id: "state", name: "State")
        field.deviceValue =
            isOpenOnDevice
            ? .content("open", shownAs: "Signed in") : .content("ended", shownAs: endedText)
        (field.serverValue, field.discrepancy) =
            sources.serverState.map(serverState) ?? lastResponseState
        return field
    }

    private var isOpenOnDevice: Bool { sources.isLive && sources.hasAccessToken }

    private var endedText: String {
        (session.state == .revoked ? "Signed out locally" : "Signed out")
            + timeSuffix(session.endedAt)
    }

    private func timeSuffix(_ date: Date?) -> String { date.map { " \(formatTime($0))" } ?? "" }

    // MARK: The embedded backend

    private func serverState(_ sessionState: ServerSessionState) -> (SourceValue, Discrepancy?) {
        func ended(
            _ text: String, _ kind: Discrepancy.Kind, _ reason: String, _ fix: String
        ) -> (SourceValue, Discrepancy?) {
            (.content("ended", shownAs: text), serverDiscrepancy(kind, reason, fix))
        }
        guard let account = sessionState.account else {
            return sessionState.isAccessTokenRecognized
                ? ended(
                    "Account deleted", .accountDeleted,
                    "The account and its sessions were deleted.",
                    "It cannot be restored. Clear the tokens or register again.")
                : ended(
                    "Unknown token", .unknownSession,
                    "The server did not issue the stored access token.", renewal("get a new one"))
        }
        if let disabled = account.disabledAt?.date, isOpenOnDevice {
            return ended(
                "Account disabled\(timeSuffix(disabled))", .accountDisabled,
                "The account is disabled. The server rejects its tokens where it checks the "
                    + "account.", "Enable it on the accounts page.")
        }
        guard let serverSession = sessionState.session else {
            return ended(
                "No such session", .unknownSession, "The server does not have this session.",
                "Sign in again to start a new one.")
        }
        if let revoked = serverSession.revokedAt?.date {
            let reason = serverSession.revocationReason.map { ", \($0)" } ?? ""
            return ended(
                "Revoked\(timeSuffix(revoked))", .revoked,
                "The server ended the session\(reason). The device has not noticed. " + noticeText,
                "Sign in again to start a new session.")
        }
        if let locked = account.lockedUntil?.date, locked > sources.now, isOpenOnDevice {
            return (
                .content("open", shownAs: "Locked until \(formatTime(locked))"),
                serverDiscrepancy(
                    .accountLocked, "The account is locked after too many attempts.",
                    "It unlocks at \(formatTime(locked)).")
            )
        }
        let openOnServer = Discrepancy(
            .openOnServer, .server,
            "The device cleared its tokens. The server was not notified or does not end sessions.",
            fix: "Sign out everywhere to end it on the server.")
        return (.content("open", shownAs: "Active"), isOpenOnDevice ? nil : openOnServer)
    }

    /// Nil unless the session is open for the device.
    private func serverDiscrepancy(_ kind: Discrepancy.Kind, _ reason: String, _ fix: String)
        -> Discrepancy?
    { isOpenOnDevice ? Discrepancy(kind, .server, reason, fix: fix) : nil }

    /// When the device will notice.
    private var noticeText: String {
        guard let observation = sources.lastResponse, observation.isAccepted == true,
            observation.hadEnded == true, let end = session.accessToken?.expiresAt,
            end > sources.now
        else { return "It will notice when a request is rejected." }
        return "It will notice on its first request after \(formatTime(end))."
    }

    // MARK: A real backend

    /// The state according to the backend's last response.
    private var lastResponseState: (SourceValue, Discrepancy?) {
        guard let observation = sources.lastResponse else { return (.unknown("Not checked"), nil) }
        let timeText = " \(formatTime(observation.at))"
        switch observation.isAccepted {
        case true?:
            let state = sources.isLive ? "open" : "ended"
            return (.content(state, shownAs: "Accepted" + timeText), nil)
        case false?:
            let status = observation.status.map { " with \($0)" } ?? ""
            return (
                .content("ended", shownAs: "Rejected" + timeText),
                serverDiscrepancy(
                    .refused, "The backend rejected \(observation.call)\(status).",
                    canRefresh
                        ? "A refresh may get an accepted token."
                        : "Sign in again to get a new token.")
            )
        case nil: return (.unknown("No result" + timeText), nil)
        }
    }
}
