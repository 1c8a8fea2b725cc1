/// A button of a screen that does something on the server.
package struct ScreenAction: Encodable, Sendable, Equatable {
    package var label: String
    /// POST: does it.
    package var href: String
    /// GET: the screen with the question first, if the action has one.
    package var confirmHref: String?
    /// `<screen>.<name>`
    package var testID: String
    /// `faceID` or `touchID`, if the sensor is asked first.
    package var sensor: String?
    /// For the look, as a class: `primary`, `secondary`, `destructive`,
    /// `cancel` …; never empty.
    package var role: String
    package var destructive: Bool
    /// When it may be pressed, told by what stands in its form.
    package var enabledWhen: ScreenModel.EnabledCondition?
    /// Said after the label by a screen reader.
    package var hint: String?
    /// Shown, focusable, and does nothing.
    package var inert: Bool = false
    /// It was pressed, and its answer is waited for.
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
    /// The form's own button, and where the form goes.
    package struct Submit: Encodable, Sendable, Equatable {
        package var label: String
        /// POST.
        package var href: String
        /// `<screen>.submit`
        package var testID: String
        /// When it may be pressed, told by what stands in its form.
        package var enabledWhen: EnabledCondition?
        /// Read out after the label: "Double tap to login".
        package var hint: String?

        package init(label: String, href: String, testID: String, hint: String? = nil) {
            self.label = label
            self.href = href
            self.testID = testID
            self.hint = hint
        }
    }

    /// What a button waits for while somebody types. Without a script it can
    /// be pressed at any time, and what it waits for is said by its fields.
    package struct EnabledCondition: Encodable, Sendable, Equatable {
        /// The names of the fields that must not be empty, with spaces.
        package var requiredFields: String
        /// No field may show an error.
        package var requiresValid: Bool
        /// The fields hold too little now.
        package var isDisabled: Bool
    }
}
