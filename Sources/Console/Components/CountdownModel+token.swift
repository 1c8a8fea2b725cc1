import FoundationEssentials
import Simulator
import Web

extension CountdownModel {
    /// What is left of a token's life; nil without a told end for an opaque
    /// one.
    static func lifetime(
        of summary: Session.TokenSummary, named label: String, testID: String, now: Date
    )
        -> CountdownModel?
    {
        guard let end = summary.expiresAt else {
            guard summary.isJWT else { return nil }
            return CountdownModel(
                label: label, testID: testID, expiresAt: "", lifetime: "0", percent: "0",
                remaining: "–",
                caption: "no expiry told", phase: .none)
        }
        return until(
            end, from: summary.issuedAt ?? summary.receivedAt, named: label, testID: testID,
            now: now)
    }

    /// What is left until `end` of a life that began at `start`.
    static func until(_ end: Date, from start: Date, named label: String, testID: String, now: Date)
        -> CountdownModel
    {
        let life = max(1, end.timeIntervalSince(start))
        let left = end.timeIntervalSince(now)
        let share = min(1, max(0, left / life))
        let phase: Phase = left <= 0 ? .expired : share <= 0.2 ? .warn : .running
        return CountdownModel(
            label: label, testID: testID, expiresAt: end.iso8601,
            lifetime: String(Int(clamping: life)),
            percent: String(Int(clamping: (share * 100).rounded())),
            remaining: Format.countdown(left),
            // More than all of it is left where the clock was put back.
            caption: left <= 0
                ? "expired" : left > life + 1 ? "left" : "of \(Format.countdown(life)) left",
            phase: phase)
    }
}
