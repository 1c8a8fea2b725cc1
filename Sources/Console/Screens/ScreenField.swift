/// A field as a form shows it: its value, and what is wrong with it.
package struct ScreenField: Encodable, Sendable, Equatable {
    /// The name in the form, the manifest's.
    package var name: String
    /// The element's id, unique on the page.
    package var id: String
    package var label: String
    /// What it shows while it is empty.
    package var placeholder: String
    /// The input's: `email`, `password`, `text`, `tel`, `checkbox`, `radio`.
    package var type: String
    /// What stands in it; empty where a failure emptied it.
    package var value: String = ""
    package var invalid: Bool = false
    /// Below the field; none where the form says what is wrong.
    package var error: String?
    /// `<screen>.<name>`; the error has `.error`, the eye `.reveal`.
    package var testID: String
    /// The HTML token: `username`, `current-password`, `one-time-code` …
    package var autocomplete: String
    /// `email`, `numeric`, `tel`, `text`.
    package var inputMode: String
    /// Where the caret goes: the first invalid field, or the password a
    /// failed login emptied. At most one of a screen.
    package var focus: Bool = false
    package var required: Bool = false
    /// What the return key says, as HTML's `enterkeyhint` has it: `next`,
    /// `done`, `go`, `send`; without one the keyboard's own word.
    package var enterKey: String?
    /// The return key leads to the next field.
    package var returnMovesToNext: Bool = false
    /// How strong the password is, where the app says so.
    package var strength: Strength?
    /// A password: it gets the eye that shows and hides it.
    package var secret: Bool = false
    /// The eye is open; `type` is then `text`.
    package var revealed: Bool = false
    /// On or off: a switch or a box to tick.
    package var toggle: Bool = false
    /// A toggle that is on.
    package var checked: Bool = false
    /// A page the label leads to, in a window of its own.
    package var link: String?
    /// The part of the label that is the link, and what stands around it;
    /// nil where the link stands beside the label.
    package var linkText: String?
    package var labelBefore: String?
    package var labelAfter: String?
    /// One of `options`.
    package var choice: Bool = false
    /// The choices of a choice, in order.
    package var options: [Option] = []

    package init(
        name: String, id: String, label: String, type: String, testID: String, autocomplete: String,
        inputMode: String
    ) {
        self.name = name
        self.id = id
        self.label = label
        placeholder = label
        self.type = type
        self.testID = testID
        self.autocomplete = autocomplete
        self.inputMode = inputMode
    }

    /// How strong a password is, in the app's words.
    package struct Strength: Encodable, Sendable, Equatable {
        /// From 1; 0 says nothing.
        package var level: String
        package var label: String
        /// One for each level there is.
        package var steps: [Int]

        package init(level: Int, labels: [String]) {
            self.level = String(level)
            label = labels.indices.contains(level - 1) ? labels[level - 1] : ""
            steps = Array(labels.indices)
        }
    }

    /// One choice, such as a role.
    package struct Option: Encodable, Sendable, Equatable {
        /// The element's id, unique on the page.
        package var id: String
        package var value: String
        package var label: String
        /// A line about it.
        package var text: String?
        package var chosen: Bool
        /// `<screen>.<field>.<value>`
        package var testID: String

        package init(
            id: String, value: String, label: String, text: String?, chosen: Bool, testID: String
        ) {
            self.id = id
            self.value = value
            self.label = label
            self.text = text
            self.chosen = chosen
            self.testID = testID
        }
    }
}
