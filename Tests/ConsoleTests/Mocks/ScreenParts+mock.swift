import Console
import Testing

extension ScreenField {
    static func mock(
        _ name: String, on screen: String, label: String, type: String, value: String = "",
        autocomplete: String
    ) -> ScreenField {
        var field = ScreenField(
            name: name, id: "\(screen)-\(name)", label: label, type: type,
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
        asks: Bool = false
    ) -> ScreenAction {
        ScreenAction(
            label: label, href: "/apps/\(app)/\(screen)/\(name)",
            confirmHref: asks ? "/apps/\(app)/\(screen)?confirm=\(name)" : nil,
            testID: "\(screen).\(name)", role: role, destructive: role == "destructive")
    }
}

extension ScreenModel: CustomTestStringConvertible {
    /// Short: a failing case is found by its app and screen.
    package var testDescription: String { "\(app.id) \(screen.id)" }
}
