import FoundationEssentials
import Simulator
import Web

extension CountdownModel {
    /// What is left of a token's life; nil without a told end for an opaque
    /// one.
    static func life(of held: Session.Held, named label: String, testID: String, now: Date)
        -> CountdownModel?
    {
        guard let end = held.expiresAt else {
            guard held.isJWT else { return nil }
            return CountdownModel(
                label: label, testID: testID, expiresAt: "", life: "0", percent: "0", left: "–",
                of: "no expiry told", phase: .none)
        }
        return until(
            end, from: held.issuedAt ?? held.receivedAt, named: label, testID: testID, now: now)
    }

    /// What is left until `end` of a life that began at `start`.
    static func until(_ end: Date, from start: Date, named label: String, testID: String, now: Date)
        -> CountdownModel
    {
        let life = max(1, end.timeIntervalSince(start))
        let left = end.timeIntervalSince(now)
        let share = min(1, max(0, left / life))
        let phase: Phase = left <= 0 ? .over : share <= 0.2 ? .warn : .run
        return CountdownModel(
            label: label, testID: testID, expiresAt: end.iso8601, life: String(Int(clamping: life)),
            percent: String(Int(clamping: (share * 100).rounded())), left: Words.countdown(left),
            // More than all of it is left where the clock was put back.
            of: left <= 0
                ? "expired" : left > life + 1 ? "left" : "of \(Words.countdown(life)) left",
            phase: phase)
    }
}
