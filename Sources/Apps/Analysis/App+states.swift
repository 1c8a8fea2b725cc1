extension App {
    /// The names of the states `screen` can be in, `default` first.
    package func states(of screen: Screen) -> [String] { screenStates(of: screen).map(\.name) }

    /// The states `screen` can be in, derived from its fields, its actions and the responses of
    /// their calls.
    ///
    /// `default` is first, each name occurs once.
    package func screenStates(of screen: Screen) -> [ScreenState] {
        var states = [ScreenState(name: "default", cause: .initial)]
        if screen.kind == .launch { states += launchStates }
        states += errorStates(of: screen)
        for action in screen.allActions where !action.isInert { states += self.states(of: action) }
        if let expiry = session.expired, expiry.destination == screen.id, expiry.message != nil {
            states.append(ScreenState(name: "session-expired", cause: .sessionExpired))
        }
        states += loadStates(of: screen) + arrivals(at: screen)
        var seen: Set<String> = []
        return states.filter { seen.insert($0.name).inserted }
    }

    // MARK: States by source

    /// Failures that do not navigate elsewhere are shown on the launch screen.
    private var launchStates: [ScreenState] {
        let name = Self.launchActionName
        let start = screens.first { $0.kind == .launch }?.id
        let rows = launch.filter { !requiredCalls(of: $0).isEmpty }
        let staysOnLaunch = { (kind: String) in
            rows.contains { row in
                let destination = row.onFailure[kind] ?? row.onFailure["failed"]
                return [nil, "stay", start].contains(destination)
            }
        }
        let failures = ScreenState.NetworkFailure.allCases.map {
            ScreenState(name: $0.rawValue, cause: .network(action: name, $0))
        }
        let unknownFailure = ScreenState(name: "failed", cause: .unknownFailure(action: name))
        return (failures + [unknownFailure]).filter { staysOnLaunch($0.name) }
    }

    private func errorStates(of screen: Screen) -> [ScreenState] {
        let screenErrors = screen.rules.map { rule in
            ScreenState(
                name: "error." + rule.fields.joined(separator: "-") + "." + rule.rule.testName,
                cause: .fieldError(field: rule.fields[0], message: rule.rule.message))
        }
        // Two rules with the same message look the same to the user.
        let fieldErrors = screen.fields.flatMap { field in
            var messages: Set<String> = []
            return field.rules.filter { messages.insert($0.message).inserted }.map { rule in
                ScreenState(
                    name: messages.count > 1
                        ? "error.\(field.name).\(rule.testName)" : "error.\(field.name)",
                    cause: .fieldError(field: field.name, message: rule.message))
            }
        }
        return screenErrors + fieldErrors
    }

    private func states(of action: Action) -> [ScreenState] {
        let name = action.name
        var states: [ScreenState] = []
        if action.enabledRule != .always {
            states.append(ScreenState(name: "disabled.\(name)", cause: .disabled(action: name)))
        }
        if action.confirmation != nil || action.hasPrompt {
            states.append(ScreenState(name: "confirm.\(name)", cause: .confirm(action: name)))
        }
        if action.browserPage != nil {
            states.append(ScreenState(name: "page.\(name)", cause: .page(action: name)))
        }
        if !action.calls.isEmpty {
            states.append(ScreenState(name: "loading.\(name)", cause: .loading(action: name)))
        }
        if !action.ignoresCallFailures { states += failureStates(of: action) }
        let hasFeedback: [ScreenState.Feedback: Bool] = [
            .toast: action.toast != nil, .alert: action.alert != nil,
            .notice: action.notice != nil || action.navigationRules.contains { $0.notice != nil },
        ]
        return states
            + ScreenState.Feedback.allCases.filter { hasFeedback[$0] == true }.map {
                ScreenState(name: "\($0.rawValue).\(name)", cause: .success(action: name, $0))
            }
    }

    /// A failure that ends the session of a call with a token is shown at the expiry's destination.
    /// For a call without a token it is an ordinary failure.
    private func isShownHere(_ failure: Call.Failure, by call: String) -> Bool {
        guard failure.sessionEffect != nil else { return true }
        let carriesToken = calls[call]?.request.carries("accessToken") ?? false
        return failure.message != nil && !carriesToken
    }

    /// A failure that navigates to another screen is a state of that screen: an arrival.
    private func failureStates(of action: Action) -> [ScreenState] {
        let requiredCalls = action.calls.filter { calls[$0]?.isBestEffort == false }
        guard !requiredCalls.isEmpty else { return [] }
        var states: [ScreenState] = []
        // Two calls that fail with the same message look the same to the user.
        var messages: Set<String> = []
        for call in requiredCalls {
            let failures = (calls[call]?.failures ?? []).enumerated()
            for (index, failure) in failures
            where failure.destination == nil && !failure.treatAsSuccess
                && isShownHere(failure, by: call)
            {
                guard messages.insert(failure.message ?? "\(call).\(index)").inserted else {
                    continue
                }
                states.append(
                    ScreenState(
                        name: "failure.\(call).\(index + 1)",
                        cause: .failure(action: action.name, call: call, index: index)))
            }
        }
        let name = action.name
        states.append(ScreenState(name: "failure.\(name)", cause: .unknownFailure(action: name)))
        return states
            + ScreenState.NetworkFailure.allCases.map {
                ScreenState(name: "\($0.rawValue).\(name)", cause: .network(action: name, $0))
            }
    }
}

/// A state a screen can be in, and its cause.
package struct ScreenState: Sendable, Equatable {
    /// Unique on its screen: `default`, `error.email`, `failure.login.2`, `confirm.logout` …
    package var name: String
    package var cause: Cause
    /// The screen whose action or launch leads here; nil for the screen itself.
    package var origin: String?

    /// What brings the screen into the state.
    package enum Cause: Sendable, Equatable {
        /// As first shown.
        case initial
        /// A launch screen while its table runs, or an action in progress.
        case loading(action: String)
        /// An action that is not enabled yet.
        case disabled(action: String)
        /// A broken rule; for a rule about several fields, the first of them.
        case fieldError(field: String, message: String)
        /// A response that matched the row `index` of the call's failures.
        case failure(action: String, call: String, index: Int)
        /// A failure the manifest has no message for.
        case unknownFailure(action: String)
        /// No usable response.
        case network(action: String, NetworkFailure)
        case confirm(action: String)
        /// The page that an action opens in the app's browser.
        case page(action: String)
        /// Feedback after success: a toast, a notice, a dialog.
        case success(action: String, Feedback)
        /// Shown because the session expired and could not be refreshed.
        case sessionExpired
        /// A call that loads the screen failed.
        case loadFailure(call: String)
        /// Another option of a choice was submitted than the initial one.
        case choice(action: String, field: String, value: String)
        /// Opened without the session it needs.
        case bypass(action: String)
        /// The action of another screen has added to what it loads.
        case contribution(action: String)
    }

    /// How a call fails without a response that the app understands.
    package enum NetworkFailure: String, Sendable, CaseIterable {
        case offline, timeout, connection, invalidResponse
    }

    /// What an action shows after its success.
    package enum Feedback: String, Sendable, CaseIterable { case toast, notice, alert }
}
