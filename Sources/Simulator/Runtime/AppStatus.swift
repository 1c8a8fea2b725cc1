package import Apps
package import FoundationEssentials
package import Web

/// Where an app stands on a device: everything a screen or an inspector shows.
package struct AppStatus: Sendable {
    package var app: App
    package var device: Device
    /// The screen shown now; the launch screen before the first start.
    package var screen: String
    package var screenSince: Date
    /// Whether the splash still has its launch table to run.
    package var isLaunching: Bool
    package var backend: String
    /// The base URL calls go to now.
    package var baseURL: String
    /// What was typed into the current screen's fields, passwords emptied
    /// unless the action failed and the manifest keeps them.
    package var fieldValues: [String: String]
    /// Errors below fields, by field name.
    package var fieldErrors: [String: String]
    /// The failure below the form, or in an alert.
    package var failure: Failure?
    /// Shown once, by the next page.
    package var toast: String?
    /// What the last success says below the form, until the screen is left.
    package var notice: String?
    /// The dialog after a success.
    package var alert: Alert?
    /// What calls captured since the last cold start and what is stored,
    /// without tokens: `user`, `email` …
    package var availableValues: [String: JSON]
    /// The session, if the app has one.
    package var session: Session?
    /// Screens shown since the last reset, in order, with how often.
    package var visits: [VisitCount]
    /// Transitions really made, in order of first time.
    package var transitions: [Transition]
    /// The transition made last, nil before the first.
    package var lastTransition: Transition?
    /// Whether the first request of a form's next submit is to be the app's
    /// last.
    package var willKillOnNextSubmit: Bool

    package struct Failure: Sendable, Equatable {
        package var message: String
        package var title: String?
        package var presentation: Action.FailureHandling.Presentation
        /// The exchange that failed, if one did.
        package var exchange: String?
    }

    /// A dialog with one answer, which leads to `go`.
    package struct Alert: Sendable, Equatable {
        package var title: String?
        package var text: String
        package var buttonLabel: String
        /// The screen behind its button; nil stays.
        package var targetScreen: String?
    }

    package struct VisitCount: Sendable, Equatable {
        package var screen: String
        package var count: Int
    }
}
