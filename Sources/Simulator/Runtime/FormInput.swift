import Apps
import Web

/// The values submitted for a screen's fields.
struct FormInput: Sendable {
    /// Unmodified, of the screen's own fields only.
    let values: [String: String]
    /// Values that must not be stored in any form.
    let passwords: [String]
    /// All but passwords.
    let nonSecretValues: [String: String]

    /// `previousValues` are used if the form contains none of the fields: a button in its own form,
    /// or a dialog over the screen, sends none.
    init(
        _ form: [String: String], of action: Action, on screen: Screen,
        _ previousValues: [String: String]
    ) {
        let isSent =
            action.name == Action.submitName || screen.fields.contains { form[$0.name] != nil }
        let form = isSent ? form : previousValues
        var values: [String: String] = [:]
        var passwords: [String] = []
        var nonSecretValues: [String: String] = [:]
        for field in screen.fields {
            let value = form[field.name] ?? ""
            values[field.name] = value
            guard field.type == .password else {
                nonSecretValues[field.name] = value
                continue
            }
            for password in [value, field.normalized(value)]
            where !password.isEmpty && !passwords.contains(password) { passwords.append(password) }
        }
        self.values = values
        self.passwords = passwords
        self.nonSecretValues = nonSecretValues
    }
}
