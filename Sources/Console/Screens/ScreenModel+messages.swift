/// A screen's messages and dialogs.
extension ScreenModel {
    struct Message: Encodable, Sendable, Equatable { var message: String }

    struct Alert: Encodable, Sendable, Equatable {
        var title: String
        var message: String
        /// The label of the only button.
        var buttonLabel: String
        /// GET: the screen without the alert.
        var href: String
    }

    struct Confirmation: Encodable, Sendable, Equatable {
        var title: String
        var text: String
        var confirmLabel: String
        var cancelLabel: String
        /// POST: performs the action.
        var href: String
        /// GET: the screen without the dialog.
        var cancelHref: String
        /// The action's test id; the dialog appends `.confirm`, `.cancel`, `.close` and `.dialog`.
        var testID: String
        var destructive: Bool
        /// It was confirmed and waits for the response.
        var busy: Bool = false
    }

    /// A Face ID or Touch ID prompt.
    struct Prompt: Encodable, Sendable, Equatable {
        /// The sensor's name.
        var title: String
        /// `faceID` or `touchID`, for styling.
        var sensor: String
        /// Why the app asks.
        var text: String
        /// POST with `sensor`: the sensor's result.
        var href: String
        /// GET: the screen without the prompt.
        var cancelHref: String
        /// Whether canceling is this device's default result.
        var cancelsByDefault: Bool
        var samples: [Sample]
        /// The action's test id; the dialog appends `.prompt` and `.cancel`.
        var testID: String

        /// A result that the simulated sensor can return.
        struct Sample: Encodable, Sendable, Equatable {
            var label: String
            /// `match` or `noMatch`.
            var value: String
            /// Whether it is this device's default result.
            var isDefault: Bool
            var testID: String
        }
    }

    struct Launching: Encodable, Sendable, Equatable {
        /// POST: runs the launch table and redirects to the resulting screen.
        var href: String
        /// The progress text, visible or for screen readers only.
        var status: String
        /// Whether the app shows the text beside the spinner.
        var showsStatus: Bool
        /// The form's test id; the text appends `.status`.
        var testID: String
    }

    struct LiveValidation: Encodable, Sendable, Equatable {
        /// POST of the form's fields; responds with `{"errors": {<field>: <text>}}`.
        var href: String
        /// Milliseconds after the last keystroke.
        var delay: Int
        /// Whether only live rules are checked; the others are checked on submit.
        var checksLiveRulesOnly = false
    }
}
