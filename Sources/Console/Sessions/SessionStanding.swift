import Backend
import FoundationEssentials
import Simulator

/// Says in words whether a session still counts, why, and what its next call
/// will meet.
struct SessionStanding {
    let session: Session
    /// What the embedded backend knows; nil where another answers.
    let server: EmbeddedBackend.KnownSession?
    /// What its backend was last heard to say; nil if nobody asked.
    var answered: Answered?
    let now: Date

    private var end: Date? { session.accessToken?.expiresAt }
    private var canRefresh: Bool { session.refreshToken != nil }

    var title: String {
        switch session.state {
        case .signedOut: "Signed out"
        case .revoked: "Revoked"
        case .expired: server?.revokedAt == nil ? "Expired" : "Revoked"
        case .active: server?.revokedAt == nil ? "Still accepted" : "Revoked"
        }
    }

    /// Nil when no end is told or the session ended.
    var remaining: CountdownModel? {
        guard session.endedAt == nil, let held = session.accessToken,
            held.expiresAt != nil
        else { return nil }
        var model = CountdownModel.life(
            of: held, named: "Access token", testID: "session.remaining",
            now: now)
        model?.countdownSize = "big"
        return model
    }

    var text: String {
        if let revoked = server?.revokedAt, session.endedAt == nil {
            let why = server?.revokedBecause.map { ": \($0)" } ?? ""
            return "The server ended this session "
                + "\(Words.ago(revoked, now))\(why). The phone does not know "
                + "yet. \(afterwards)"
        }
        switch session.state {
        case .signedOut:
            return "The device forgot its tokens"
                + ended + ". Its next call goes out without one."
        case .revoked:
            return "The server refused to go on with it\(ended). Signing in "
                + "again begins a new session."
        case .expired:
            let since = end.map { " " + Words.ago($0, now) } ?? ""
            return "The access token ended\(since). "
                + (canRefresh
                    ? "The next call is refused, and the app refreshes "
                        + "silently."
                    : "The next call is refused, and the user signs in "
                        + "again.")
        case .active:
            guard let end else {
                return "The token does not tell its end. Only the backend "
                    + "knows how long it is accepted."
            }
            let until = Words.clock(end)
            return canRefresh
                ? "Calls pass until \(until). After that the first one that "
                    + "is refused makes the app refresh silently."
                : "Calls pass until \(until). After that the user signs in "
                    + "again."
        }
    }

    /// What the token is still worth, as far as somebody asked since.
    private var afterwards: String {
        guard let answered, isOfNow(answered) else {
            return "Probe to hear whether its access token is still taken."
        }
        return switch answered.isAccepted {
        case true?:
            "The access token carries its own end, so calls still pass."
        case false?: "Its next call is refused."
        case nil: "Whether its calls still pass, it did not tell."
        }
    }

    /// That its token was taken before the end says nothing of now; once
    /// refused it stays so.
    private func isOfNow(_ answered: Answered) -> Bool {
        answered.wasOver == true
            || answered.isAccepted == false
                && answered.masked == session.accessToken?.masked
    }

    private var ended: String {
        session.endedAt.map { " " + Words.ago($0, now) } ?? ""
    }
}
