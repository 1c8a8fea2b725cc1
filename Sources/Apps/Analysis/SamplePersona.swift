/// Somebody made up, who fills in forms.
///
/// Addresses are of example.com (RFC 2606, 3).
package struct SamplePersona: Sendable, Equatable {
    package var email = "mira.holt@example.com"
    package var password = "Harbour7-lantern"
    package var firstName = "Mira"
    package var lastName = "Holt"
    /// What a mail said, where a form asks for it.
    package var code = "123456"

    package init() {}

    /// What may be typed into `field`, what suits it best first; what is in
    /// the other fields is in `values`.
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
        let whole = "\(firstName) \(lastName)"
        let told = "\(field.autocomplete ?? "") \(field.name)".lowercased()
        let best =
            if told.contains("given") || told.contains("first") {
                firstName
            } else if told.contains("family") || told.contains("last") { lastName } else { whole }
        return [best, whole, firstName, "Harbour", "A1", ""]
    }
}
