import FoundationEssentials
import Simulator
import Web

/// What came of asking a backend whether it takes a token.
struct ProbeModel: Encodable, Sendable {
    /// `Would be accepted now`.
    var answerText: String
    /// `ok`, `bad` or empty.
    var tone: String
    /// `check`, `cross`, `info`.
    var answerIcon: String
    /// `me 200, 14:35:22`.
    var detail: String
    var took: String
    var probeURL: String

    /// `now` is the real time. Where the session `isOver`, that its token was
    /// taken before says nothing of now.
    init(_ answered: Answered, isOver: Bool, now: Date) {
        let isRecent = now.timeIntervalSince(answered.heardAt) < 60
        let isFresh = isRecent && (!isOver || answered.wasOver == true)
        switch answered.isAccepted {
        case true?:
            answerText =
                isFresh
                ? "Accepted just now"
                : isOver && answered.wasOver == false
                    ? "Was accepted, before the end" : "Was accepted"
            (tone, answerIcon) = ("ok", "check")
        case false?:
            answerText = isRecent ? "Refused just now" : "Was refused"
            (tone, answerIcon) = ("bad", "cross")
        case nil:
            answerText = "The backend did not tell"
            (tone, answerIcon) = ("", "info")
        }
        detail =
            answered.call + " " + (answered.status.map { String($0) } ?? "no answer") + ", "
            + Words.moment(answered.at)
        took = Words.milliseconds(answered.total)
        probeURL = Links.exchange(answered.exchange)
    }
}
