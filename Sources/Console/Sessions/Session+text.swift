import Simulator
import Web

extension Session {
    /// The email address, else the user's id, else the device.
    var userLabel: String {
        email ?? userID.map { "User \(Format.shortID($0))" } ?? "Device \(Format.shortID(device))"
    }

    var stateChip: ChipModel { ChipModel(text: state.label, tone: state.tone) }
}

extension Session.State {
    /// `Active`, `Signed out`.
    var label: String { self == .signedOut ? "Signed out" : rawValue.capitalizedFirst }

    var tone: ChipModel.Tone {
        switch self {
        case .active: .ok
        case .expired: .warn
        case .revoked: .bad
        case .signedOut: .neutral
        }
    }
}
