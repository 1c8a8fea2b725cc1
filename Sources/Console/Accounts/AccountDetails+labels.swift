import Backend
import Web

extension EmbeddedBackend.AccountDetails.State {
    /// `Verified`, `Locked`.
    var label: String { rawValue.capitalizedFirst }

    var tone: ChipModel.Tone {
        switch self {
        case .verified: .ok
        case .unverified: .warn
        case .locked: .bad
        case .disabled: .neutral
        }
    }
}

extension EmbeddedBackend.AccountDetails {
    var stateChip: ChipModel { ChipModel(text: state.label, tone: state.tone) }
}

extension AdminAction {
    /// The button's label: `Verify`, `Set password`.
    var label: String {
        switch self {
        case .verify: "Verify"
        case .unverify: "Mark unverified"
        case .disable: "Disable"
        case .enable: "Enable"
        case .lock: "Lock"
        case .unlock: "Unlock"
        case .setPassword: "Set password"
        case .signOut: "Sign out everywhere"
        case .delete: "Delete"
        }
    }

    /// `Lock nora@example.com?`
    func confirmationQuestion(_ who: String) -> String {
        switch self {
        case .verify: "Verify \(who)?"
        case .unverify: "Mark \(who) as unverified?"
        case .disable: "Disable \(who)?"
        case .enable: "Enable \(who)?"
        case .lock: "Lock \(who)?"
        case .unlock: "Unlock \(who)?"
        case .setPassword: "Set a new password for \(who)?"
        case .signOut: "Sign \(who) out everywhere?"
        case .delete: "Delete \(who)?"
        }
    }

    /// Whether the action ends something that cannot be restored.
    var isDestructive: Bool {
        switch self {
        case .signOut, .delete, .disable: true
        default: false
        }
    }

    /// The actions that apply to the account's current state, in display order.
    static func available(_ account: EmbeddedBackend.AccountDetails) -> [AdminAction] {
        [
            account.emailVerifiedAt == nil ? .verify : .unverify,
            account.disabledAt == nil ? .disable : .enable,
            account.state == .locked ? .unlock : .lock, .setPassword, .signOut, .delete,
        ]
    }
}
