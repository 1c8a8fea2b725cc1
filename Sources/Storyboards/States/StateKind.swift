package import Apps
import Web

/// The kind of a state, by which the board is filtered.
package enum StateKind: String, CaseIterable, Sendable {
    case initial = "default"
    case fieldError = "field-error"
    case failure
    case network
    case loading
    case disabled
    case confirmation
    case message
    case sessionExpired = "session-expired"

    package init(_ cause: ScreenState.Cause) {
        self =
            switch cause {
            case .initial: .initial
            case .loading: .loading
            case .disabled: .disabled
            case .fieldError: .fieldError
            case .failure, .unknownFailure: .failure
            case .network: .network
            case .confirm: .confirmation
            case .success: .message
            case .sessionExpired: .sessionExpired
            }
    }

    /// `Field error`.
    package var label: String {
        switch self {
        case .fieldError: "Field error"
        case .sessionExpired: "Session expired"
        default: rawValue.capitalizedFirst
        }
    }
}
