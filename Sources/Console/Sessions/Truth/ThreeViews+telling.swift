import Backend
import FoundationEssentials
import Simulator
import Web

/// What the views of a session are told with.
extension ThreeViews {
    var session: Session { evidence.session }
    var isEmbedded: Bool { evidence.truth != nil }

    var canRefresh: Bool { evidence.hasRefreshToken && evidence.truth?.session?.revokedAt == nil }

    /// What the server says: asked directly, or in its last answer.
    func known(_ names: [String], code: Bool = false, _ directly: (Truth) -> String?) -> Side {
        if let truth = evidence.truth { return .text(directly(truth), code: code) }
        guard evidence.answered != nil else { return .unknown("not asked yet") }
        return .text(evidence.answered(names)?.text, code: code)
    }

    /// The side that stands alone; the claim, or what is stored, where only
    /// two speak: the server knows best.
    func odd(_ fact: ViewFact) -> Disagreement.Column {
        let stored = fact.stored.said?.compared.lowercased()
        let claimed = fact.claimed.said?.compared.lowercased()
        let known = fact.known.said?.compared.lowercased()
        if let known {
            if claimed != nil, claimed != known { return .claimed }
            return .stored
        }
        return stored == nil || claimed == nil ? .claimed : .stored
    }

    /// A time of day, with its date where that is another than today's.
    func time(_ date: Date) -> String { Words.moment(date) }
}
