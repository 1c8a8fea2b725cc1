import FoundationEssentials
import Simulator
import Web

extension CountdownModel {
    /// The time until a token expires; nil for an opaque token without a known expiry.
    static func lifetime(
        of summary: Session.TokenSummary, named label: String, testID: String, now: Date
    ) -> CountdownModel? {
        guard let end = summary.expiresAt else {
            guard summary.isJWT else { return nil }
            return CountdownModel(
                label: label, testID: testID, expiresAt: "", lifetime: "0", percent: "0",
                remaining: "–", caption: "No expiry", phase: .none)
        }
        return until(
            end, from: summary.issuedAt ?? summary.receivedAt, named: label, testID: testID,
            now: now)
    }

    /// The time until `end` of a lifetime that began at `start`.
    static func until(_ end: Date, from start: Date, named label: String, testID: String, now: Date)
        -> CountdownModel
    {
        let lifetime = max(1, end.timeIntervalSince(start))
        let remaining = end.timeIntervalSince(now)
        let share = min(1, max(0, remaining / lifetime))
        let phase: Phase = remaining <= 0 ? .expired : share <= 0.2 ? .warn : .running
        return CountdownModel(
            label: label, testID: testID, expiresAt: end.iso8601,
            lifetime: String(Int(clamping: lifetime)),
            percent: String(Int(clamping: (share * 100).rounded())),
            remaining: Format.countdown(remaining),
            // More than the lifetime is left after the clock was moved back.
            caption: remaining <= 0
                ? "expired"
                : remaining > lifetime + 1 ? "left" : "of \(Format.countdown(lifetime)) left",
            phase: phase)
    }
}

/// A countdown ring with the remaining time beside it, updated by a script.
struct CountdownModel: Encodable, Sendable {
    /// What expires, for screen readers: `Access token`.
    var label: String
    var testID: String
    /// ISO 8601; empty without a known expiry (`phase` none).
    var expiresAt: String
    /// The lifetime in seconds, `300`; `0` when unknown.
    var lifetime: String
    /// The remaining percentage, `0` to `100`.
    var percent: String
    /// `4:23`, `−0:12`, `–`.
    var remaining: String
    /// `of 5:00 left`, `expired`, `No expiry`.
    var caption: String
    var phase: Phase
    /// Nil for 40 px, `mid` for 32, `big` for 56.
    var countdownSize: String?

    /// `warn` in the last fifth of the lifetime, `none` without a known expiry.
    enum Phase: String, Encodable, Sendable { case running, warn, expired, none }
}
