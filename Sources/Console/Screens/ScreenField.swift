/// A form field with its value and error.
struct ScreenField: Encodable, Sendable, Equatable {
    /// The name in the form and in the manifest.
    var name: String
    /// The element's id, unique on the page.
    var id: String
    var label: String
    /// Shown while the field is empty.
    var placeholder: String
    /// The input's type: `email`, `password`, `text`, `tel`, `checkbox`, `radio`.
    var type: String
    /// The current value; empty if a failure cleared it.
    var value: String = ""
    var invalid: Bool = false
    /// Shown below the field; nil if the form shows errors itself.
    var error: String?
    /// `<screen>.<name>`; the error appends `.error`, the reveal button `.reveal`.
    var testID: String
    /// The HTML token: `username`, `current-password`, `one-time-code` …
    var autocomplete: String
    /// `email`, `numeric`, `tel`, `text`.
    var inputMode: String
    /// Whether it has the initial focus: the first invalid field, or the password that a failed
    /// login cleared. At most one per screen.
    var focus: Bool = false
    var required: Bool = false
    /// The return key's label, a value of HTML's `enterkeyhint`: `next`, `done`, `go`, `send`; nil
    /// for the keyboard's default.
    var enterKey: String?
    /// Whether the return key moves to the next field.
    var returnMovesToNext: Bool = false
    /// The height of a text with several lines.
    var lines: Int?
    /// The length of such a text, if it is limited.
    var counter: Counter?
    /// The password's strength, if the app shows it.
    var strength: Strength?
    /// Whether it is a password, with a button that shows and hides it.
    var secret: Bool = false
    /// Whether the password is revealed; `type` is then `text`.
    var revealed: Bool = false
    /// Whether it is a switch or a checkbox.
    var toggle: Bool = false
    /// Whether the toggle is on.
    var checked: Bool = false
    /// A page that the label links to, in a new window.
    var link: String?
    /// The linked part of the label, and the text around it; nil if the link follows the label.
    var linkText: String?
    var labelBefore: String?
    var labelAfter: String?
    /// Whether it is a choice of one of `options`.
    var choice: Bool = false
    /// The options of a choice, in order.
    var options: [Option] = []

    /// The number of characters of a text and the most that its rules allow.
    struct Counter: Encodable, Sendable, Equatable {
        /// Text, so that templates show 0.
        var count: String
        var limit: Int
    }

    /// A password's strength, labeled by the app.
    struct Strength: Encodable, Sendable, Equatable {
        /// From 1; 0 for no rating.
        var level: String
        var label: String
        /// One element per level.
        var steps: [Int]

        init(level: Int, labels: [String]) {
            self.level = String(level)
            label = labels.indices.contains(level - 1) ? labels[level - 1] : ""
            steps = Array(labels.indices)
        }
    }

    /// An option of a choice, such as a role.
    struct Option: Encodable, Sendable, Equatable {
        /// The element's id, unique on the page.
        var id: String
        var value: String
        var label: String
        /// A one-line description.
        var text: String?
        var chosen: Bool
        /// `<screen>.<field>.<value>`
        var testID: String
    }
}

/// A screen's button that performs an action on the server; the form's submit button too.
struct ScreenAction: Encodable, Sendable, Equatable {
    var label: String
    /// POST: performs the action.
    var href: String
    /// GET: the screen with the confirmation, if the action has one.
    var confirmHref: String?
    /// `<screen>.<name>`
    var testID: String
    /// `faceID` or `touchID`, if a biometric check precedes the action.
    var sensor: String?
    /// The CSS class: `primary`, `secondary`, `destructive`, `cancel` …; never empty.
    var role = "primary"
    var destructive: Bool = false
    /// When it is enabled, depending on the form's fields.
    var enabledWhen: ScreenModel.EnabledCondition?
    /// Read by screen readers after the label: `Double tap to login`.
    var hint: String?
    /// Shown and focusable, without any effect.
    var inert: Bool = false
    /// It was pressed and waits for the response.
    var busy: Bool = false
}

extension ScreenModel {
    /// When a script enables a button while the user types.
    ///
    /// Without a script the button is always enabled, and the fields show their errors.
    struct EnabledCondition: Encodable, Sendable, Equatable {
        /// The names of the fields that must not be empty, separated by spaces.
        var requiredFields: String
        /// No field may show an error.
        var requiresValid: Bool
        /// Whether the current values do not meet the condition.
        var isDisabled: Bool
    }
}
