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

    /// `ended` is when the server ended the session: what it said before then
    /// says nothing of now.
    init(_ answered: Answered, ended: Date?, now: Date) {
        let isFresh = now.timeIntervalSince(answered.at) < 60
            && ended.map { answered.at >= $0 } ?? true
        switch answered.isAccepted {
        case true?:
            answerText = isFresh
                ? "Accepted just now"
                : ended.map { answered.at < $0 } ?? false
                    ? "Was accepted, before the end" : "Was accepted"
            (tone, answerIcon) = ("ok", "check")
        case false?:
            answerText = isFresh ? "Refused just now" : "Was refused"
            (tone, answerIcon) = ("bad", "cross")
        case nil:
            answerText = "The backend did not tell"
            (tone, answerIcon) = ("", "info")
        }
        detail = answered.call + " "
            + (answered.status.map { String($0) } ?? "no answer") + ", "
            + Words.clock(answered.at)
        took = Words.milliseconds(answered.total)
        probeURL = Links.exchange(answered.exchange)
    }
}
