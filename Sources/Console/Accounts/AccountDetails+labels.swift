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
        case .unverify: "Mark unverified"
        case .setPassword: "Set password"
        case .signOut: "Sign out everywhere"
        default: rawValue.capitalizedFirst
        }
    }

    /// `Lock nora@example.com?`
    func confirmationQuestion(_ who: String) -> String {
        switch self {
        case .unverify: "Mark \(who) as unverified?"
        case .setPassword: "Set a new password for \(who)?"
        case .signOut: "Sign \(who) out everywhere?"
        default: "\(label) \(who)?"
        }
    }

    /// Whether the action ends something that cannot be restored.
    var isDestructive: Bool { [.signOut, .delete, .disable].contains(self) }

    /// The actions that apply to the account's current state, in display order.
    static func applicable(to account: EmbeddedBackend.AccountDetails) -> [AdminAction] {
        [
            account.emailVerifiedAt == nil ? .verify : .unverify,
            account.disabledAt == nil ? .disable : .enable,
            account.state == .locked ? .unlock : .lock, .setPassword, .signOut, .delete,
        ]
    }
}
