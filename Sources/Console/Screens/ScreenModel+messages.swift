/// What a screen says by itself, and the dialogs over it.
extension ScreenModel {
    package struct Message: Encodable, Sendable, Equatable {
        package var message: String

        package init(_ message: String) { self.message = message }
    }

    package struct Alert: Encodable, Sendable, Equatable {
        package var title: String
        package var message: String
        /// The one answer's label.
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
        /// POST: does it.
        package var href: String
        /// GET: the screen without the question.
        package var cancelHref: String
        /// The action's; the dialog adds `.confirm`, `.cancel`, `.close` and
        /// `.dialog`.
        package var testID: String
        package var destructive: Bool
        /// It was confirmed, and the answer is waited for.
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

    /// Face ID or Touch ID, asking.
    package struct Prompt: Encodable, Sendable, Equatable {
        /// The sensor's name.
        package var title: String
        /// `faceID` or `touchID`, for the look.
        package var sensor: String
        /// Why the app asks.
        package var text: String
        /// POST with `sensor`: what the sensor made of it.
        package var href: String
        /// GET: the screen without the prompt.
        package var cancelHref: String
        /// Cancel is what this device answers by itself.
        package var cancelsByDefault: Bool
        package var samples: [Sample]
        /// The action's; the dialog adds `.prompt` and `.cancel`.
        package var testID: String

        /// What somebody holds before the sensor.
        package struct Sample: Encodable, Sendable, Equatable {
            package var label: String
            /// `match` or `noMatch`.
            package var value: String
            /// It is what this device answers by itself.
            package var isDefault: Bool
            package var testID: String
        }
    }

    package struct Launching: Encodable, Sendable, Equatable {
        /// POST: runs the launch table and leads on.
        package var href: String
        /// What is going on, for eyes or for screen readers alone.
        package var status: String
        /// The app shows its status as text beside the spinner.
        package var showsStatus: Bool
        /// The form's; its text has `.status`.
        package var testID: String

        package init(href: String, status: String, showsStatus: Bool, testID: String) {
            self.href = href
            self.status = status
            self.showsStatus = showsStatus
            self.testID = testID
        }
    }

    package struct LiveValidation: Encodable, Sendable, Equatable {
        /// POST of the form's fields; answers
        /// `{"errors": {<field>: <text>}}`.
        package var href: String
        /// Milliseconds after the last key.
        package var delay: Int
        /// Only live rules are checked; the others when the form is sent.
        package var checksLiveRulesOnly = false

        package init(href: String, delay: Int) {
            self.href = href
            self.delay = delay
        }
    }
}
