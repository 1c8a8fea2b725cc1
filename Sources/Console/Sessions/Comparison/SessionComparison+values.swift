import Backend
import FoundationEssentials
import Simulator
import Web

/// What the views of a session are told with.
extension SessionComparison {
    var session: Session { sources.session }
    var isEmbedded: Bool { sources.serverState != nil }

    var canRefresh: Bool {
        sources.hasRefreshToken && sources.serverState?.session?.revokedAt == nil
    }

    /// What the server says: asked directly, or in its last answer.
    func serverValue(
        _ names: [String], isCode: Bool = false, _ directly: (ServerSessionState) -> String?
    ) -> SourceValue {
        if let sessionState = sources.serverState {
            return .text(directly(sessionState), isCode: isCode)
        }
        guard sources.lastResponse != nil else { return .unknown("not asked yet") }
        return .text(sources.lastResponse(names)?.scalarText, isCode: isCode)
    }

    /// The side that stands alone; the claim, or what is stored, where only
    /// two speak: the server knows best.
    func outlier(_ fact: ComparedField) -> Discrepancy.Source {
        let stored = fact.deviceValue.content?.compared.lowercased()
        let claimed = fact.tokenValue.content?.compared.lowercased()
        let known = fact.serverValue.content?.compared.lowercased()
        if let known {
            if claimed != nil, claimed != known { return .token }
            return .device
        }
        return stored == nil || claimed == nil ? .token : .device
    }

    /// A time of day, with its date where that is another than today's.
    func formatTime(_ date: Date) -> String { Format.dateTime(date) }
}
