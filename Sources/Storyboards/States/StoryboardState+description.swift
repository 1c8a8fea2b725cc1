import Apps
import Web

/// What a state means, in one or two sentences.
extension StoryboardState {
    package var description: String {
        switch cause {
        case .initial:
            screen.kind == .launch
                ? "Shown at app start while the launch rules decide the first screen."
                : "The initial state of the screen."
        case .loading(let action):
            "\(actionClause(action)) and the response is pending. Repeated taps are ignored."
        case .disabled(let action):
            "\(screen.label(ofAction: action)) is disabled: \(enablingRule(of: action))."
        case .confirm(let action): confirmationSentence(for: action)
        case .fieldError(let field, let message):
            "\(fieldLabel(field).capitalizedFirst) is invalid, so no request is sent."
                + messageSentence(message)
        case .failure(let action, let call, let index): failureSentence(action, call, index)
        case .unknownFailure(let action):
            "\(actionClause(action)) and the backend returned an error the manifest does not "
                + "handle. The app shows the server message, or"
                + quotedSentence(app.network.messages.serverError)
        case .network(let action, let failure):
            "\(actionClause(action)) \(failure.clause)."
                + messageSentence(app.network.messages.message(for: failure))
        case .success(let action, let feedback): successSentence(action, feedback)
        case .sessionExpired:
            "The backend no longer accepted the tokens and they could not be "
                + "refreshed, so the app navigated here."
                + messageSentence(app.session.expired?.message)
        }
    }

    /// The walkthrough's note on the screen; for the default state only.
    package var note: String? {
        guard cause == .initial else { return nil }
        return app.walkthrough.first { $0.screen == screen.id }?.note
    }

    // MARK: Clauses and sentences

    private func actionClause(_ action: String) -> String {
        screen.action(action) == nil
            ? "The app was started" : "\(screen.label(ofAction: action)) was pressed"
    }

    private func quotedSentence(_ text: String) -> String {
        let ends = text.last.map { ".!?".contains($0) } ?? false
        return " “\(text)”" + (ends ? "" : ".")
    }

    private func messageSentence(_ message: String?) -> String {
        message.map { " Message:" + quotedSentence($0) } ?? ""
    }

    private func enablingRule(of action: String) -> String {
        switch screen.action(action)?.enabledRule {
        case .filled(let names)?:
            names.map(fieldLabel).joined(separator: " and ") + " must not be empty"
        default: "all fields must be valid"
        }
    }

    private func confirmationSentence(for action: String) -> String {
        let screenAction = screen.action(action)
        if let text = screenAction?.confirmation?.text {
            return "\(screen.label(ofAction: action)) requires confirmation."
                + messageSentence(text)
        }
        let reason = screenAction?.biometricCheck?.reason
        return "Biometric authentication is required before the request is sent."
            + messageSentence(reason)
    }

    private func failureSentence(_ action: String, _ call: String, _ index: Int) -> String {
        guard let failure = app.failure(of: call, at: index) else { return actionClause(action) }
        let status =
            failure.status.isEmpty
            ? "" : " with " + failure.status.prefix(3).map(String.init).joined(separator: " or ")
        let code = failure.expectedCodes.joined(separator: ", ")
        return "\(actionClause(action)) and the backend rejected \(call)\(status)"
            + (code.isEmpty ? "." : " (\(code)).")
            + (failure.message.map { messageSentence($0) } ?? " The server message is shown.")
    }

    private func successSentence(_ action: String, _ feedback: ScreenState.Feedback) -> String {
        let screenAction = screen.action(action)
        let text =
            switch feedback {
            case .toast: screenAction?.toast
            case .notice:
                screenAction?.notice ?? screenAction?.navigationRules.compactMap(\.notice).first
            case .alert: screenAction?.alert?.text
            }
        return "\(screen.label(ofAction: action)) succeeded; a \(feedback.label) is shown."
            + messageSentence(text)
    }
}

extension ScreenState.NetworkFailure {
    /// Follows "Login was pressed".
    fileprivate var clause: String {
        switch self {
        case .offline: "while the device was offline"
        case .timeout: "and the request timed out"
        case .connection: "and the connection failed"
        case .invalidResponse: "and the response was malformed"
        }
    }
}

extension Network.Messages {
    func message(for failure: ScreenState.NetworkFailure) -> String {
        switch failure {
        case .offline: offline
        case .timeout: timeout
        case .connection: connection
        case .invalidResponse: invalidResponse
        }
    }
}
