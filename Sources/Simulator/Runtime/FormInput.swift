import Apps
import Web

/// What was typed into a screen's fields.
struct FormInput: Sendable {
    /// As they came, the screen's own fields and no others.
    let values: [String: String]
    /// Values that must not be stored in any form.
    let passwords: [String]
    /// All but passwords.
    let nonSecretValues: [String: String]

    /// `shown` is what the fields held before. A button in a form of its own,
    /// and a question over the screen, send none of them: then it stands.
    init(_ form: [String: String], of action: Action, on screen: Screen, _ shown: [String: String])
    {
        let isSent =
            action.name == Action.submitName || screen.fields.contains { form[$0.name] != nil }
        let form = isSent ? form : shown
        var values: [String: String] = [:]
        var passwords: [String] = []
        var harmless: [String: String] = [:]
        for field in screen.fields {
            let value = form[field.name] ?? ""
            values[field.name] = value
            guard field.type == .password else {
                harmless[field.name] = value
                continue
            }
            for password in [value, field.normalized(value)]
            where !password.isEmpty && !passwords.contains(password) { passwords.append(password) }
        }
        self.values = values
        self.passwords = passwords
        self.nonSecretValues = harmless
    }
}
