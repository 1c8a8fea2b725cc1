import Apps

/// Who walks through an app: somebody made up, with what forms ask for.
struct Traveller: Sendable, Equatable {
    static let name = "Mira Holt"

    /// Nobody else in the walk's workspace has it.
    let email: String
    /// Long, and with something of every kind: it keeps any app's rules.
    let password = "Harbour-27-lights"

    /// The first, the second … in one workspace.
    init(number: Int) {
        email = "mira.holt\(number > 1 ? String(number) : "")@example.com"
    }

    /// What is typed into a form.
    func fills(_ screen: Screen, code: String? = nil) -> [String: String] {
        let required = screen.mustBeFilled
        var form: [String: String] = [:]
        for field in screen.fields {
            form[field.name] =
                switch field.type {
                case .email: email
                case .password: password
                case .code: code ?? ""
                case .toggle: "on"
                case .choice: field.initial ?? field.options.first?.value ?? ""
                case .phone:
                    required.contains(field.name) ? "+1 415 555 0134" : ""
                case .text: Self.words(for: field)
                }
        }
        return form
    }

    private static func words(for field: Field) -> String {
        let name = (field.purpose ?? field.name).lowercased()
        let parts = Self.name.split(separator: " ").map(String.init)
        if name.contains("first") || name.contains("given") { return parts[0] }
        if name.contains("last") || name.contains("family") { return parts[1] }
        return Self.name
    }
}
