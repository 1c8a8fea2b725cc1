import FoundationEssentials
import Simulator
import Web

/// The result of a token check at a backend.
struct ProbeModel: Encodable, Sendable {
    /// `Accepted just now`.
    var resultText: String
    /// `ok`, `bad` or empty.
    var tone: String
    /// `check`, `cross`, `info`.
    var resultIcon: String
    /// `me 200, 14:35:22`.
    var detail: String
    var duration: String
    var exchangeURL: String

    /// `now` is the system time. If the session `hasEnded`, an earlier acceptance is not current.
    init(_ observation: SessionObservation, hasEnded: Bool, now: Date) {
        let isRecent = now.timeIntervalSince(observation.observedAt) < 60
        let isFresh = isRecent && (!hasEnded || observation.hadEnded == true)
        switch observation.isAccepted {
        case true?:
            resultText =
                isFresh
                ? "Accepted just now"
                : hasEnded && observation.hadEnded == false
                    ? "Last check: accepted, before the session ended" : "Last check: accepted"
            (tone, resultIcon) = ("ok", "check")
        case false?:
            resultText = isRecent ? "Rejected just now" : "Last check: rejected"
            (tone, resultIcon) = ("bad", "cross")
        case nil:
            resultText = "No result"
            (tone, resultIcon) = ("", "info")
        }
        detail =
            observation.call + " " + (observation.status.map { String($0) } ?? "no response") + ", "
            + Format.dateTime(observation.at)
        duration = Format.milliseconds(observation.totalMilliseconds)
        exchangeURL = Links.exchange(observation.exchange)
    }
}
