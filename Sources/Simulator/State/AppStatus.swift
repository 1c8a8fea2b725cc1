package import Apps
package import FoundationEssentials
package import Web

/// An app's state on a device: everything that a screen or an inspector shows.
package struct AppStatus: Sendable {
    package var app: App
    package var device: Device
    /// The screen shown now; the launch screen before the first start.
    package var screen: String
    package var screenSince: Date
    /// Whether the splash screen still has to run its launch table.
    package var isLaunching: Bool
    package var backend: String
    /// The base URL of calls.
    package var baseURL: String
    /// The values of the current screen's fields. Passwords are cleared unless the action failed
    /// and the manifest keeps them.
    package var fieldValues: [String: String]
    /// Errors below fields, by field name.
    package var fieldErrors: [String: String]
    /// The failure below the form, or in an alert.
    package var failure: Failure?
    /// Shown once, by the next page.
    package var toast: String?
    /// The last success's message below the form, until the user leaves the screen.
    package var notice: String?
    /// The dialog after a success.
    package var alert: Alert?
    /// Stored values and those captured since the last cold start, without tokens: `user`, `email`
    /// …
    package var availableValues: [String: JSON]
    package var session: Session?
    /// Screens shown since the last reset, in order, with their counts.
    package var visits: [VisitCount]
    /// Transitions made, in order of their first occurrence.
    package var transitions: [Transition]
    /// Nil before the first transition.
    package var lastTransition: Transition?
    /// Whether the app is killed during the first request of the next form submit.
    package var willKillOnNextSubmit: Bool

    package var chosenBackend: AppBackend? { app.backends.first { $0.id == backend } }

    package struct Failure: Sendable, Equatable {
        package var message: String
        package var title: String?
        package var presentation: Action.FailureHandling.Presentation
        /// The failed exchange, if there is one.
        package var exchange: String?
    }

    /// A dialog with one button.
    package struct Alert: Sendable, Equatable {
        package var title: String?
        package var text: String
        package var buttonLabel: String
        /// The screen that its button opens; nil stays.
        package var targetScreen: String?
    }

    package struct VisitCount: Sendable, Equatable {
        package var screen: String
        package var count: Int
    }
}
