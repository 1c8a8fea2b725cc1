/// A field of a form.
package struct Field: Sendable, Equatable {
    package var name: String
    package var type: Kind
    package var label: String
    /// What an empty field shows; nil is the label.
    package var placeholder: String?
    /// What a browser may fill in, as HTML's autocomplete names it; nil is
    /// told by the type.
    package var autocomplete: String?
    /// Choices of a `choice`.
    package var options: [Option]
    package var initialValue: String?
    /// Leading and trailing white space is dropped before rules and calls.
    package var trimsWhitespace: Bool
    /// In order; the first that fails is the field's error.
    package var rules: [Rule]
    /// An empty value breaks no rule, so that an untouched field shows no
    /// error; `enabled: 'valid'` still asks for a valid one.
    package var allowsEmpty: Bool
    /// The name of what it begins with: an address typed before.
    package var prefillName: String?
    /// A page its label links to: terms, a policy.
    package var link: Link?
    /// What the keyboard's return key does; nil sends the form with the
    /// keyboard's own word.
    package var returnKey: ReturnKey?
    /// What is said of a password's strength, from the weakest on; empty says
    /// nothing.
    package var strengthLabels: [String]

    package enum ReturnKey: String, Sendable, CaseIterable {
        /// On to the next field.
        case next
        /// These send the form; each is the word on the key.
        case done, go, send
    }

    package struct Link: Sendable, Equatable {
        package var href: String
        /// The part of the label that is the link; nil is none of it, and the
        /// link stands beside the label.
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
