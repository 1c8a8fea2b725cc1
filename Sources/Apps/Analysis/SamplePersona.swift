/// A fictitious user who fills in forms.
///
/// The addresses are of example.com (RFC 2606, 3).
package struct SamplePersona: Sendable, Equatable {
    package var email = "mira.holt@example.com"
    package var password = "Harbour7-lantern"
    package var firstName = "Mira"
    package var lastName = "Holt"
    /// The code from a message, for forms that ask for one.
    package var code = "123456"

    package init() {}

    /// Possible inputs for `field`, the best match first.
    func candidates(for field: Field) -> [String] {
        switch field.type {
        case .email: [email]
        case .password: [password, password + "!", "Ab1!" + password]
        case .code: [code, "1234", "12345678"]
        case .toggle: ["on", ""]
        case .choice: (field.initialValue.map { [$0] } ?? []) + field.options.map(\.value)
        case .phone: ["", "+4915112345678", "5551234567", "(555) 123-4567"]
        case .text: nameCandidates(for: field)
        }
    }

    private func nameCandidates(for field: Field) -> [String] {
        let fullName = "\(firstName) \(lastName)"
        let hints = "\(field.autocomplete ?? "") \(field.name)".lowercased()
        let best =
            if hints.contains("given") || hints.contains("first") {
                firstName
            } else if hints.contains("family") || hints.contains("last") { lastName } else {
                fullName
            }
        return [best, fullName, firstName, "Harbour", "A1", ""]
    }
}
