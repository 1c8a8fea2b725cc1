/// A screen's messages and dialogs.
extension ScreenModel {
    package struct Message: Encodable, Sendable, Equatable {
        package var message: String

        package init(_ message: String) { self.message = message }
    }

    package struct Alert: Encodable, Sendable, Equatable {
        package var title: String
        package var message: String
        /// The label of the only button.
        package var buttonLabel: String
        /// GET: the screen without the alert.
        package var href: String

        package init(title: String, message: String, buttonLabel: String, href: String) {
            self.title = title
            self.message = message
            self.buttonLabel = buttonLabel
            self.href = href
        }
    }

    package struct Confirmation: Encodable, Sendable, Equatable {
        package var title: String
        package var text: String
        package var confirmLabel: String
        package var cancelLabel: String
        /// POST: performs the action.
        package var href: String
        /// GET: the screen without the dialog.
        package var cancelHref: String
        /// The action's test id; the dialog appends `.confirm`, `.cancel`, `.close` and `.dialog`.
        package var testID: String
        package var destructive: Bool
        /// It was confirmed and waits for the response.
        package var busy: Bool = false

        package init(
            title: String, text: String, confirmLabel: String, cancelLabel: String, href: String,
            cancelHref: String,
            testID: String, destructive: Bool
        ) {
            self.title = title
            self.text = text
            self.confirmLabel = confirmLabel
            self.cancelLabel = cancelLabel
            self.href = href
            self.cancelHref = cancelHref
            self.testID = testID
            self.destructive = destructive
        }
    }

    /// A Face ID or Touch ID prompt.
    package struct Prompt: Encodable, Sendable, Equatable {
        /// The sensor's name.
        package var title: String
        /// `faceID` or `touchID`, for styling.
        package var sensor: String
        /// Why the app asks.
        package var text: String
        /// POST with `sensor`: the sensor's result.
        package var href: String
        /// GET: the screen without the prompt.
        package var cancelHref: String
        /// Whether canceling is this device's default result.
        package var cancelsByDefault: Bool
        package var samples: [Sample]
        /// The action's test id; the dialog appends `.prompt` and `.cancel`.
        package var testID: String

        /// A result that the simulated sensor can return.
        package struct Sample: Encodable, Sendable, Equatable {
            package var label: String
            /// `match` or `noMatch`.
            package var value: String
            /// Whether it is this device's default result.
            package var isDefault: Bool
            package var testID: String
        }
    }

    package struct Launching: Encodable, Sendable, Equatable {
        /// POST: runs the launch table and redirects to the resulting screen.
        package var href: String
        /// The progress text, visible or for screen readers only.
        package var status: String
        /// Whether the app shows the text beside the spinner.
        package var showsStatus: Bool
        /// The form's test id; the text appends `.status`.
        package var testID: String

        package init(href: String, status: String, showsStatus: Bool, testID: String) {
            self.href = href
            self.status = status
            self.showsStatus = showsStatus
            self.testID = testID
        }
    }

    package struct LiveValidation: Encodable, Sendable, Equatable {
        /// POST of the form's fields; responds with `{"errors": {<field>: <text>}}`.
        package var href: String
        /// Milliseconds after the last keystroke.
        package var delay: Int
        /// Whether only live rules are checked; the others are checked on submit.
        package var checksLiveRulesOnly = false

        package init(href: String, delay: Int) {
            self.href = href
            self.delay = delay
        }
    }
}
