import Backend
import FoundationEssentials
import Simulator
import Web

/// Helpers for comparing the sources.
extension SessionComparison {
    var session: Session { sources.session }
    var isEmbedded: Bool { sources.serverState != nil }

    var canRefresh: Bool {
        sources.hasRefreshToken && sources.serverState?.session?.revokedAt == nil
    }

    /// How to get newer tokens, in order to `purpose`.
    func renewal(_ purpose: String) -> String {
        (canRefresh ? "Refresh to " : "Sign in again to ") + purpose + "."
    }

    /// The server's value: read directly from the embedded backend, or from the last response.
    func serverValue(
        _ names: [String], isCode: Bool = false, _ embeddedValue: (ServerSessionState) -> String?
    ) -> SourceValue {
        if let sessionState = sources.serverState {
            return .text(embeddedValue(sessionState), isCode: isCode)
        }
        guard sources.lastResponse != nil else { return .unknown("Not checked") }
        return .text(sources.lastResponse(names)?.scalarText, isCode: isCode)
    }

    /// The deviating source. With only two values, the server's is right; without the server's, the
    /// token's deviates.
    func outlier(_ field: ComparedField) -> Discrepancy.Source {
        let deviceText = field.deviceValue.content?.compared.lowercased()
        let tokenText = field.tokenValue.content?.compared.lowercased()
        let serverText = field.serverValue.content?.compared.lowercased()
        if let serverText {
            if tokenText != nil, tokenText != serverText { return .token }
            return .device
        }
        return deviceText == nil || tokenText == nil ? .token : .device
    }

    /// A time of day, with the date unless it is today.
    func formatTime(_ date: Date) -> String { Format.dateTime(date) }
}
