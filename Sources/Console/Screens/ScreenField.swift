/// A form field with its value and error.
package struct ScreenField: Encodable, Sendable, Equatable {
    /// The name in the form and in the manifest.
    package var name: String
    /// The element's id, unique on the page.
    package var id: String
    package var label: String
    /// Shown while the field is empty.
    package var placeholder: String
    /// The input's type: `email`, `password`, `text`, `tel`, `checkbox`, `radio`.
    package var type: String
    /// The current value; empty if a failure cleared it.
    package var value: String = ""
    package var invalid: Bool = false
    /// Shown below the field; nil if the form shows errors itself.
    package var error: String?
    /// `<screen>.<name>`; the error appends `.error`, the reveal button `.reveal`.
    package var testID: String
    /// The HTML token: `username`, `current-password`, `one-time-code` …
    package var autocomplete: String
    /// `email`, `numeric`, `tel`, `text`.
    package var inputMode: String
    /// Whether it has the initial focus: the first invalid field, or the password that a failed
    /// login cleared. At most one per screen.
    package var focus: Bool = false
    package var required: Bool = false
    /// The return key's label, a value of HTML's `enterkeyhint`: `next`, `done`, `go`, `send`; nil
    /// for the keyboard's default.
    package var enterKey: String?
    /// Whether the return key moves to the next field.
    package var returnMovesToNext: Bool = false
    /// The password's strength, if the app shows it.
    package var strength: Strength?
    /// Whether it is a password, with a button that shows and hides it.
    package var secret: Bool = false
    /// Whether the password is revealed; `type` is then `text`.
    package var revealed: Bool = false
    /// Whether it is a switch or a checkbox.
    package var toggle: Bool = false
    /// Whether the toggle is on.
    package var checked: Bool = false
    /// A page that the label links to, in a new window.
    package var link: String?
    /// The linked part of the label, and the text around it; nil if the link follows the label.
    package var linkText: String?
    package var labelBefore: String?
    package var labelAfter: String?
    /// Whether it is a choice of one of `options`.
    package var choice: Bool = false
    /// The options of a choice, in order.
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

    /// A password's strength, labeled by the app.
    package struct Strength: Encodable, Sendable, Equatable {
        /// From 1; 0 for no rating.
        package var level: String
        package var label: String
        /// One element per level.
        package var steps: [Int]

        package init(level: Int, labels: [String]) {
            self.level = String(level)
            label = labels.indices.contains(level - 1) ? labels[level - 1] : ""
            steps = Array(labels.indices)
        }
    }

    /// An option of a choice, such as a role.
    package struct Option: Encodable, Sendable, Equatable {
        /// The element's id, unique on the page.
        package var id: String
        package var value: String
        package var label: String
        /// A one-line description.
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
