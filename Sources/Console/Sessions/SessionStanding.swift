import Backend
import FoundationEssentials
import Simulator

/// Says in words whether a session still counts, as far as that is known, and
/// what its next call will meet.
///
/// What the token tells of its own end is told as that, and never as what the
/// backend would do.
struct SessionStanding {
    private let evidence: Evidence
    /// Whether the app has a call that would tell.
    private let canAsk: Bool

    init(_ evidence: Evidence, canAsk: Bool) {
        self.evidence = evidence
        self.canAsk = canAsk
    }

    private var session: Session { evidence.session }
    /// What the embedded backend knows; nil where another answers.
    private var server: EmbeddedBackend.KnownSession? { evidence.truth?.session }
    private var now: Date { evidence.now }
    private var end: Date? { session.accessToken?.expiresAt }
    private var canRefresh: Bool { session.refreshToken != nil }
    /// Its backend refused the token that is held now.
    private var refusal: Answered? {
        evidence.heardNow.flatMap { $0.isAccepted == false ? $0 : nil }
    }
    /// What the server says against it, other than that it ended it.
    private var objection: Disagreement? {
        ThreeViews(evidence: evidence).state.disagreement.flatMap { $0.objection == nil ? nil : $0 }
    }

    var title: String {
        if session.state == .signedOut { return "Signed out" }
        if server?.revokedAt != nil || session.endedAt != nil { return "Revoked" }
        if let title = objection?.objection { return title }
        if refusal != nil { return "Refused" }
        switch session.state {
        case .signedOut: return "Signed out"
        case .revoked: return "Revoked"
        case .expired: return "Expired"
        case .active: break
        }
        if server != nil { return canAsk ? "Still accepted" : "Open at its server" }
        return evidence.heardNow?.isAccepted == true ? "Accepted when asked" : "Not known"
    }

    /// Nil when no end is told, the session ended, or the token is refused.
    var remaining: CountdownModel? {
        guard session.endedAt == nil, refusal == nil, objection == nil,
            let held = session.accessToken, held.expiresAt != nil
        else { return nil }
        var model = CountdownModel.life(
            of: held, named: "Access token", testID: "session.remaining", now: now)
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
        if let objection { return "\(objection.why) \(objection.mend)" }
        if session.endedAt == nil, let refusal { return refused(refusal) }
        switch session.state {
        case .signedOut:
            return "The device forgot its tokens" + ended + ". Its next call goes out without one."
        case .revoked:
            return "The server refused to go on with it\(ended). Signing in "
                + "again begins a new session."
        case .expired:
            let since = end.map { " " + Words.ago($0, now) } ?? ""
            return "The access token ended\(since). "
                + (canRefresh
                    ? "The next call is refused, and the app refreshes silently."
                    : "The next call is refused, and the user signs in again.")
        case .active: return server == nil ? claimed : passing
        }
    }

    /// The embedded backend has the session open.
    private var passing: String {
        guard let end else {
            return "The token does not tell its end. Only the backend "
                + "knows how long it is accepted."
        }
        let until = Words.moment(end)
        guard canAsk else { return "The token tells to last until \(until). \(afterEnd)" }
        return "Calls pass until \(until). \(afterEnd)"
    }

    private var afterEnd: String {
        canRefresh
            ? "After that the first call that is refused makes the app refresh silently."
            : "After that the user signs in again."
    }

    /// Another backend answers: what the token tells, and who was asked.
    private var claimed: String {
        let tells =
            end.map { "The token tells to last until \(Words.moment($0))." }
            ?? "The token does not tell its end."
        if let heard = evidence.heardNow {
            let at = Words.moment(heard.at)
            switch heard.isAccepted {
            case true?:
                return "Its backend took the token at \(at); whether it does "
                    + "now only another call tells. \(tells)"
            case nil:
                return "Its backend was asked at \(at) and did not tell "
                    + "whether it takes the token. \(tells)"
            case false?: break
            }
        }
        return tells
            + (canAsk
                ? " Nobody asked its backend about it: probe to hear."
                : " Its backend cannot be asked.")
    }

    private func refused(_ answered: Answered) -> String {
        let status = answered.status.map { " with \($0)" } ?? ""
        let told =
            end.map { end in
                end <= now ? "" : ", though it tells to last until " + Words.moment(end)
            } ?? ""
        return "Its backend refused the access token\(status) at "
            + "\(Words.moment(answered.at))\(told). "
            + (canRefresh ? "A refresh may bring one it takes." : "The user signs in again.")
    }

    /// What the token is still worth, as far as somebody asked since.
    private var afterwards: String {
        guard let answered = evidence.answered, isOfNow(answered) else {
            return canAsk
                ? "Probe to hear whether its access token is still taken."
                : "Whether its access token is still taken cannot be asked."
        }
        return switch answered.isAccepted {
        case true?: "The access token carries its own end, so calls still pass."
        case false?: "Its next call is refused."
        case nil: "Whether its calls still pass, it did not tell."
        }
    }

    /// That its token was taken before the end says nothing of now; once
    /// refused it stays so.
    private func isOfNow(_ answered: Answered) -> Bool {
        answered.wasOver == true
            || answered.isAccepted == false && answered.masked == session.accessToken?.masked
    }

    private var ended: String { session.endedAt.map { " " + Words.ago($0, now) } ?? "" }
}

extension Disagreement {
    /// Why a server that has not ended the session would still not take it;
    /// nil for what does not speak against it.
    fileprivate var objection: String? {
        switch kind {
        case .accountDeleted: "Account deleted"
        case .accountDisabled: "Account disabled"
        case .sessionUnknown: "Unknown to the server"
        default: nil
        }
    }
}
