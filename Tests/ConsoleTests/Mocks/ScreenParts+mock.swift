@testable import Console
import Testing

extension ScreenField {
    static func mock(
        _ name: String, on screen: String, label: String, type: String, value: String = "",
        autocomplete: String
    ) -> ScreenField {
        var field = ScreenField(
            name: name, id: "\(screen)-\(name)", label: label, placeholder: label,
            type: type,
            testID: "\(screen).\(name)", autocomplete: autocomplete,
            inputMode: type == "email" ? "email" : "text")
        field.value = value
        field.required = true
        field.secret = type == "password"
        return field
    }
}

extension ScreenAction {
    static func mock(
        _ name: String, on screen: String, label: String, role: String, app: String = "mystica",
        needsConfirmation: Bool = false
    ) -> ScreenAction {
        ScreenAction(
            label: label, href: "/apps/\(app)/\(screen)/\(name)",
            confirmHref: needsConfirmation ? "/apps/\(app)/\(screen)?confirm=\(name)" : nil,
            testID: "\(screen).\(name)", role: role, destructive: role == "destructive")
    }
}

extension ScreenModel: CustomTestStringConvertible {
    /// Identifies a failing case by its app and screen.
    var testDescription: String { "\(app.id) \(screen.id)" }
}
