/// A field of a form.
package struct Field: Sendable, Equatable {
    package var name: String
    package var type: Kind
    package var label: String
    /// Choices of a `choice`.
    package var options: [Option]
    package var initial: String?
    /// Leading and trailing white space is dropped before rules and calls.
    package var trim: Bool
    /// In order; the first that fails is the field's error.
    package var rules: [Rule]

    package enum Kind: String, Sendable {
        case text, email, password, code, toggle, choice, phone
    }

    package struct Option: Sendable, Equatable {
        package var value: String
        package var label: String
        package var text: String?
    }
}
