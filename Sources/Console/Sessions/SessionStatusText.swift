import Backend
import FoundationEssentials
import Inspection
import Simulator
import Web

/// Describes whether a session is still accepted, as far as known, and what its next call will
/// return.
///
/// The expiry in the token is described as the token's claim, never as the backend's behavior.
struct SessionStatusText {
    let sources: SessionSources
    /// Whether the app has a call that checks the token.
    let canProbe: Bool

    private var session: Session { sources.session }
    /// The embedded backend's session; nil for another backend.
    private var serverSession: BackendSession? { sources.serverState?.session }
    private var now: Date { sources.now }
    private var tokenExpiry: Date? { session.accessToken?.expiresAt }
    private var canRefresh: Bool { session.refreshToken != nil }
    /// The response with which the backend rejected the current token.
    private var refusedResponse: SessionObservation? {
        sources.currentTokenResponse.flatMap { $0.isAccepted == false ? $0 : nil }
    }
    /// Why a server that has not ended the session rejects it all the same.
    private var blocking: (title: String, discrepancy: Discrepancy)? {
        guard let discrepancy = SessionComparison(sources: sources).state.discrepancy else {
            return nil
        }
        return switch discrepancy.kind {
        case .accountDeleted: ("Account deleted", discrepancy)
        case .accountDisabled: ("Account disabled", discrepancy)
        case .unknownSession: ("Unknown to the server", discrepancy)
        default: nil
        }
    }

    var title: String {
        if session.state == .signedOut { return "Signed out" }
        if serverSession?.revokedAt != nil || session.endedAt != nil { return "Revoked" }
        if let title = blocking?.title { return title }
        if refusedResponse != nil { return "Rejected" }
        if session.state != .active { return session.state.label }
        if serverSession != nil { return canProbe ? "Still accepted" : "Open on the server" }
        return sources.currentTokenResponse?.isAccepted == true ? "Last check: accepted" : "Unknown"
    }

    /// The state in the page's head: what is known of the server comes before the device's state.
    var chip: ChipModel {
        let isEnded = serverSession?.revokedAt != nil || blocking != nil
        let isRefused = refusedResponse != nil && session.state == .active
        guard ![.revoked, .signedOut].contains(session.state), isEnded || isRefused else {
            return session.stateChip
        }
        return ChipModel(text: title, tone: .bad, chipIcon: "warn")
    }

    /// Nil if the expiry is unknown, the session ended, or the token was rejected.
    var remaining: CountdownModel? {
        guard session.endedAt == nil, refusedResponse == nil, blocking == nil,
            let summary = session.accessToken, summary.expiresAt != nil
        else { return nil }
        var model = CountdownModel.lifetime(
            of: summary, named: "Access token", testID: "session.remaining", now: now)
        model?.countdownSize = "big"
        return model
    }

    var text: String {
        if let revoked = serverSession?.revokedAt?.date, session.endedAt == nil {
            let reason = serverSession?.revocationReason.map { ": \($0)" } ?? ""
            return "The server ended this session \(Format.ago(revoked, now))\(reason). "
                + "The device has not noticed. \(afterRevocationText)"
        }
        if let discrepancy = blocking?.discrepancy {
            return "\(discrepancy.explanation) \(discrepancy.fix)"
        }
        if session.endedAt == nil, let response = refusedResponse { return refusedText(response) }
        switch session.state {
        case .signedOut:
            return "The device cleared its tokens\(endedAgoText). "
                + "Its next request is sent without one."
        case .revoked:
            return "The server rejected the session\(endedAgoText). "
                + "Sign in again to start a new one."
        case .expired:
            let since = tokenExpiry.map { " " + Format.ago($0, now) } ?? ""
            return "The access token expired\(since). The next request is rejected, "
                + (canRefresh ? "and the app refreshes silently." : "and the user signs in again.")
        case .active: return serverSession == nil ? claimedExpiryText : acceptedText
        }
    }

    /// The text for a session that is open at the embedded backend.
    private var acceptedText: String {
        guard let end = tokenExpiry else {
            return "The token has no expiry. Only the backend determines how long it is accepted."
        }
        let until = Format.dateTime(end)
        return
            (canProbe ? "Requests are accepted until \(until). " : "The token expires \(until). ")
            + (canRefresh
                ? "After that, the first rejected request triggers a silent refresh."
                : "After that, the user signs in again.")
    }

    /// The text for another backend: the token's claim and the last response.
    private var claimedExpiryText: String {
        let claim =
            tokenExpiry.map { "The token expires \(Format.dateTime($0))." }
            ?? "The token has no expiry."
        if let observation = sources.currentTokenResponse {
            let at = Format.dateTime(observation.at)
            switch observation.isAccepted {
            case true?:
                return "The backend accepted the token at \(at). Only another "
                    + "request shows whether it still does. \(claim)"
            case nil: return "The check at \(at) gave no result. \(claim)"
            case false?: break
            }
        }
        return claim + (canProbe ? " Not checked yet: test the token." : " It cannot be tested.")
    }

    private func refusedText(_ observation: SessionObservation) -> String {
        let status = observation.status.map { " with \($0)" } ?? ""
        let claim =
            tokenExpiry.map { $0 <= now ? "" : ", although it expires " + Format.dateTime($0) }
            ?? ""
        return "The backend rejected the access token\(status) at "
            + "\(Format.dateTime(observation.at))\(claim). "
            + (canRefresh ? "A refresh may get an accepted one." : "The user signs in again.")
    }

    /// Whether the token is still accepted, as far as known since the revocation.
    private var afterRevocationText: String {
        guard let observation = sources.lastResponse, isCurrent(observation) else {
            return canProbe
                ? "Test the token to see whether it is still accepted."
                : "Its access token cannot be tested."
        }
        return switch observation.isAccepted {
        case true?: "The access token is self-contained, so requests are still accepted."
        case false?: "The next request is rejected."
        case nil: "The last check of the access token gave no result."
        }
    }

    /// An acceptance before the session's end is outdated; a rejection stays valid.
    private func isCurrent(_ observation: SessionObservation) -> Bool {
        observation.hadEnded == true
            || observation.isAccepted == false
                && observation.maskedToken == session.accessToken?.maskedValue
    }

    private var endedAgoText: String { session.endedAt.map { " " + Format.ago($0, now) } ?? "" }
}

extension Session {
    /// The email address, else the user's id, else the device.
    var userLabel: String {
        email ?? userID.map { "User \(Format.shortID($0))" } ?? "Device \(Format.shortID(device))"
    }

    var stateChip: ChipModel { ChipModel(text: state.label, tone: state.tone) }
}

extension Session.State {
    /// `Active`, `Signed out`.
    var label: String { self == .signedOut ? "Signed out" : rawValue.capitalizedFirst }

    var tone: ChipModel.Tone {
        switch self {
        case .active: .ok
        case .expired: .warn
        case .revoked: .bad
        case .signedOut: .neutral
        }
    }
}
