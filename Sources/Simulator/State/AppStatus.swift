package import Apps
package import FoundationEssentials
package import Web

/// An app's state on a device: everything that a screen or an inspector shows.
package struct AppStatus: Sendable, Equatable {
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
    /// The page that an action of the screen opens in the app's browser.
    package var openedPage: OpenedPage?
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
    package var isInBackground: Bool
    /// The screen of an opened link, which the app shows after the sign-in.
    package var linkedScreen: String?
    /// Whether the screen has loads that a pull to refresh repeats.
    package var canRefresh: Bool

    package var chosenBackend: AppBackend? { app.backends.first { $0.id == backend } }

    /// The failure that the screen shows.
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

    /// How often a screen was shown.
    package struct VisitCount: Sendable, Equatable {
        package var screen: String
        package var count: Int
    }
}

/// A page that an action has opened in the app's browser.
package struct OpenedPage: Sendable, Equatable {
    package let screen: String
    package let action: String
    package var url = ""
    /// The proof key's secret (RFC 7636): 43 characters.
    let verifier: String

    /// The name of the page's site: `127.0.0.1`.
    package var host: String { URLParts(url).host }

    init(screen: String, action: String, verifier: String) {
        self.screen = screen
        self.action = action
        self.verifier = verifier
    }
}

/// The state of an app on a device that a cold start clears.
struct TransientAppState: Sendable {
    /// The app launch. Results of an earlier launch's actions are dropped, because that app was
    /// killed.
    let launchID: Int
    /// Captured values that are not stored, by name.
    var capturedValues: [String: JSON] = [:]
    /// Values remembered per value of another field: by name, then by that value.
    var rememberedValues: [String: [String: JSON]] = [:]
    /// The values of the current screen's fields.
    var fieldValues: [String: String] = [:]
    var fieldErrors: [String: String] = [:]
    var failure: AppStatus.Failure?
    var toast: String?
    var notice: String?
    var alert: AppStatus.Alert?
    var openedPage: OpenedPage?
    /// The storage keys that stay readable until the next cold start, whatever locks them.
    var unlockedKeys: Set<String> = []
    /// Whether screens that need a session open without one.
    var isSessionBypassed = false
    /// Calls whose results are current: a screen need not load them again.
    var completedCalls: Set<String> = []
    /// Calls that the current screen repeats although their results are current.
    var dueLoads: Set<String> = []
    /// Calls that failed to load the current screen, which shows it until they are due again.
    var failedLoads: Set<String> = []
    /// The event that made them due, if it is not that of the screen.
    var loadEvent: Int64?
    /// Whether the next request for a screen follows a form's redirect.
    var isRedirectExpected = false
    var isInBackground = false
    /// The screen of a link that was opened without a session.
    var linkedScreen: String?
    /// The completed calls of a failed action, which a retry need not repeat.
    var resumableAction: ResumableAction?
    /// The input of a failed action whose calls may have been handled without a response.
    var lostSubmit: LostSubmit?
    /// The event of the cold start, until its launch table ran.
    var startEvent: Int64?
    /// The event of the current screen.
    var screenEvent: Int64?
    /// Whether the app is killed as soon as the next form submit sends its first request.
    var willKillOnNextSubmit = false

    /// Calls without a response, with their action's input except passwords.
    struct LostSubmit: Sendable {
        var calls: Set<String>
        var values: [String: String]
    }

    /// Calls that succeeded before their action failed.
    struct ResumableAction: Sendable {
        var screen: String
        var action: String
        var calls: [String: CompletedCall]

        struct CompletedCall: Sendable {
            /// The field values that decide whether the call is repeated.
            var fields: [String: String] = [:]
            var captured: [String: JSON] = [:]
        }
    }

    /// Number of remembered values per name; beyond it they are cleared.
    private static let maxRememberedValues = 100

    mutating func remember(_ name: String, for key: String, _ value: JSON) {
        let count = rememberedValues[name]?.count ?? 0
        if count >= Self.maxRememberedValues { rememberedValues[name] = nil }
        rememberedValues[name, default: [:]][key] = value
    }

    /// Unlocks every key that a cold start locks.
    mutating func unlock(_ app: App) {
        unlockedKeys.formUnion(app.storage.filter { $0.lockName != nil }.map(\.key))
    }

    /// What the app can read before `change` stays readable: turning the lock on concerns the next
    /// cold start.
    mutating func keepUnlocked(after change: StateChange) {
        let app = change.app
        guard app.storage.contains(where: { $0.lockName != nil }) else { return }
        let locked = change.old.lockedKeys(of: app, self)
        unlockedKeys.formUnion(
            change.new.lockedKeys(of: app, self).filter { !locked.contains($0) })
    }

    /// Clears the last action's messages.
    mutating func clearMessages() {
        fieldErrors = [:]
        failure = nil
        notice = nil
        alert = nil
    }

    /// Clears the previous screen's messages and values.
    mutating func leaveScreen() {
        clearMessages()
        fieldValues = [:]
        openedPage = nil
        dueLoads = []
        failedLoads = []
        loadEvent = nil
    }

    /// Clears the previous user's values after a sign-in, except those just submitted.
    mutating func clearPreviousUser(keeping fields: [String: JSON]) {
        capturedValues = capturedValues.filter { fields[$0.key] != nil }
        completedCalls = []
    }

    /// Clears the user's values after a sign-out.
    mutating func clearUser() {
        capturedValues = [:]
        completedCalls = []
        resumableAction = nil
        isSessionBypassed = false
    }
}
