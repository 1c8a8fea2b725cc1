/// A screen's button that performs an action on the server.
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
    var role: String
    var destructive: Bool = false
    /// When it is enabled, depending on the form's fields.
    var enabledWhen: ScreenModel.EnabledCondition?
    /// Read by screen readers after the label.
    var hint: String?
    /// Shown and focusable, without any effect.
    var inert: Bool = false
    /// It was pressed and waits for the response.
    var busy: Bool = false
}

extension ScreenModel {
    /// The form's submit button and target.
    struct Submit: Encodable, Sendable, Equatable {
        var label: String
        /// POST.
        var href: String
        /// `<screen>.submit`
        var testID: String
        /// When it is enabled, depending on the form's fields.
        var enabledWhen: EnabledCondition?
        /// Read by screen readers after the label: "Double tap to login".
        var hint: String?
    }

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
