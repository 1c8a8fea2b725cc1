import Simulator
import Web

extension Session {
    /// The email address, else the user's id, else the device.
    var userLabel: String {
        email ?? userID.map { "User \(Format.shortID($0))" } ?? "Device \(Format.shortID(device))"
    }

    /// The dot's tone in lists.
    var tone: String {
        switch state {
        case .active: "ok"
        case .expired: "warn"
        case .revoked: "bad"
        case .signedOut: "none"
        }
    }

    var stateChip: ChipModel {
        let tone: ChipModel.Tone =
            switch state {
            case .active: .ok
            case .expired: .warn
            case .revoked: .bad
            case .signedOut: .neutral
            }
        return ChipModel(text: state.label, tone: tone)
    }
}

extension Session.State {
    /// `Active`, `Signed out`.
    var label: String {
        switch self {
        case .active: "Active"
        case .expired: "Expired"
        case .revoked: "Revoked"
        case .signedOut: "Signed out"
        }
    }
}
