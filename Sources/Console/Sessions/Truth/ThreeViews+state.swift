import Backend
import FoundationEssentials
import Simulator
import Web

/// Whether the session goes on, as each side sees it.
extension ThreeViews {
    var state: ViewFact {
        var fact = ViewFact(
            id: "state", name: "State",
            stored: .said(
                evidence.isLive && evidence.hasAccessToken ? "open" : "over",
                as: evidence.isLive && evidence.hasAccessToken ? "signed in" : endedWords),
            claimed: .none, known: .none)
        if let truth = evidence.truth {
            (fact.known, fact.disagreement) = state(truth)
        } else {
            (fact.known, fact.disagreement) = heard
        }
        return fact
    }

    private var endedWords: String {
        switch session.state {
        case .revoked: "given up" + at(session.endedAt)
        default: "signed out" + at(session.endedAt)
        }
    }

    private func at(_ date: Date?) -> String { date.map { " \(time($0))" } ?? "" }

    // MARK: The embedded backend

    private func state(_ truth: Truth) -> (Side, Disagreement?) {
        let isOpen = evidence.isLive && evidence.hasAccessToken
        guard let account = truth.account else {
            return truth.isOwnToken
                ? (
                    .said("over", as: "account deleted"),
                    isOpen
                        ? odd(
                            .accountDeleted,
                            "The account is gone, and its sessions with it.",
                            "Nothing brings it back; forget the tokens, or "
                                + "register anew.") : nil
                ) : stranger(isOpen)
        }
        if let disabled = account.disabledAt, isOpen {
            return (
                .said("over", as: "account disabled\(at(disabled))"),
                odd(
                    .accountDisabled,
                    "The account was disabled; what it holds is refused "
                        + "where the server looks.", "Enable it again on the accounts page.")
            )
        }
        guard let known = truth.session else {
            return (
                .said("over", as: "no such session"),
                isOpen
                    ? odd(
                        .sessionUnknown, "The server forgot the session, or never had it.",
                        "Signing in again begins one.") : nil
            )
        }
        if let revoked = known.revokedAt {
            return (
                .said("over", as: "revoked\(at(revoked))"),
                isOpen
                    ? odd(
                        .revoked,
                        "The server ended it" + (known.revokedBecause.map { ", \($0)" } ?? "")
                            + "; the phone does not know yet. " + learns,
                        "Signing in again begins a new session.") : nil
            )
        }
        if let locked = account.lockedUntil, locked > evidence.now, isOpen {
            return (
                .said("open", as: "locked until \(time(locked))"),
                odd(
                    .accountLocked, "The account is locked after too many attempts.",
                    "It opens by itself at \(time(locked)).")
            )
        }
        return (
            .said("open", as: "active"),
            isOpen
                ? nil
                : Disagreement(
                    kind: .stillOpen, odd: .known,
                    why: "The device forgot its tokens; the server was not "
                        + "told, or does not end sessions.",
                    mend: "Signing out everywhere ends it there.")
        )
    }

    /// The stored token is none of the server's.
    private func stranger(_ isOpen: Bool) -> (Side, Disagreement?) {
        (
            .said("over", as: "not a token of this server"),
            isOpen
                ? odd(
                    .sessionUnknown, "The stored access token is none the server gave.",
                    canRefresh
                        ? "A refresh would bring one of its own."
                        : "Signing in again would bring one of its own.") : nil
        )
    }

    private func odd(_ kind: Disagreement.Kind, _ why: String, _ mend: String) -> Disagreement {
        Disagreement(kind: kind, odd: .known, why: why, mend: mend)
    }

    /// When the phone will notice.
    private var learns: String {
        if let answered = evidence.answered, answered.isAccepted == true, answered.wasOver == true,
            let end = session.accessToken?.expiresAt, end > evidence.now
        {
            return "It will on its first call after \(time(end))."
        }
        return "It will when a call is refused."
    }

    // MARK: A real backend

    /// What its last answer says of the session.
    private var heard: (Side, Disagreement?) {
        guard let answered = evidence.answered else { return (.unknown("not asked yet"), nil) }
        let asked = " \(time(answered.at))"
        switch answered.isAccepted {
        case true?: return (.said(evidence.isLive ? "open" : "over", as: "took it" + asked), nil)
        case false?:
            let status = answered.status.map { " with \($0)" } ?? ""
            return (
                .said("over", as: "refused" + asked),
                evidence.isLive && evidence.hasAccessToken
                    ? odd(
                        .refused, "The backend answered \(answered.call)\(status).",
                        canRefresh
                            ? "A refresh may bring a token it takes."
                            : "Signing in again brings a new token.") : nil
            )
        case nil: return (.unknown("did not tell" + asked), nil)
        }
    }
}
