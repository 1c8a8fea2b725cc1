/// A field of a form.
package struct Field: Sendable, Equatable {
    package var name: String
    package var type: Kind
    package var label: String
    /// Shown in an empty field; nil shows the label.
    package var placeholder: String?
    /// The HTML autocomplete token; nil derives it from the type.
    package var autocomplete: String?
    /// Options of a `choice` field.
    package var options: [Option]
    package var initialValue: String?
    /// Leading and trailing white space is removed before rules and calls.
    package var trimsWhitespace: Bool
    /// In order; the first that fails provides the field's error.
    package var rules: [Rule]
    /// An empty value breaks no rule, so that an untouched field shows no error. `enabled: 'valid'`
    /// still requires a valid value.
    package var allowsEmpty: Bool
    /// The name of the field's initial value: an address entered before.
    package var prefillName: String?
    /// A page the label links to: terms, a policy.
    package var link: Link?
    /// The keyboard's return key; nil submits the form and shows the keyboard's default label.
    package var returnKey: ReturnKey?
    /// Password strength labels, weakest first; empty shows no strength.
    package var strengthLabels: [String]

    package enum ReturnKey: String, Sendable, CaseIterable {
        /// Moves to the next field.
        case next
        /// These submit the form; each is the label of the key.
        case done, go, send
    }

    package struct Link: Sendable, Equatable {
        package var href: String
        /// The part of the label that is the link; nil shows the link beside the label.
        package var text: String?
    }

    package enum Kind: String, Sendable, CaseIterable {
        case text, email, password, code, toggle, choice, phone
    }

    package struct Option: Sendable, Equatable {
        package var value: String
        package var label: String
        package var text: String?
    }
}
