/// A screen's button that performs an action on the server.
package struct ScreenAction: Encodable, Sendable, Equatable {
    package var label: String
    /// POST: performs the action.
    package var href: String
    /// GET: the screen with the confirmation, if the action has one.
    package var confirmHref: String?
    /// `<screen>.<name>`
    package var testID: String
    /// `faceID` or `touchID`, if a biometric check precedes the action.
    package var sensor: String?
    /// The CSS class: `primary`, `secondary`, `destructive`, `cancel` …; never empty.
    package var role: String
    package var destructive: Bool
    /// When it is enabled, depending on the form's fields.
    package var enabledWhen: ScreenModel.EnabledCondition?
    /// Read by screen readers after the label.
    package var hint: String?
    /// Shown and focusable, without any effect.
    package var inert: Bool = false
    /// It was pressed and waits for the response.
    package var busy: Bool = false

    package init(
        label: String, href: String, confirmHref: String? = nil, testID: String, role: String,
        destructive: Bool = false
    ) {
        self.label = label
        self.href = href
        self.confirmHref = confirmHref
        self.testID = testID
        self.role = role
        self.destructive = destructive
    }
}

extension ScreenModel {
    /// The form's submit button and target.
    package struct Submit: Encodable, Sendable, Equatable {
        package var label: String
        /// POST.
        package var href: String
        /// `<screen>.submit`
        package var testID: String
        /// When it is enabled, depending on the form's fields.
        package var enabledWhen: EnabledCondition?
        /// Read by screen readers after the label: "Double tap to login".
        package var hint: String?

        package init(label: String, href: String, testID: String, hint: String? = nil) {
            self.label = label
            self.href = href
            self.testID = testID
            self.hint = hint
        }
    }

    /// When a script enables a button while the user types.
    ///
    /// Without a script the button is always enabled, and the fields show their errors.
    package struct EnabledCondition: Encodable, Sendable, Equatable {
        /// The names of the fields that must not be empty, separated by spaces.
        package var requiredFields: String
        /// No field may show an error.
        package var requiresValid: Bool
        /// Whether the current values do not meet the condition.
        package var isDisabled: Bool
    }
}
