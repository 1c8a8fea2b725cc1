import Apps

/// What a state is, in a sentence or two.
struct StateDescriptions {
    let titles: StateTitles

    private var app: App { titles.app }
    private var screen: Screen { titles.screen }

    func description(of state: ScreenState) -> String {
        switch state.cause {
        case .initial:
            screen.kind == .launch
                ? "What a start of the app shows while its table decides where to go."
                : "The screen as it is first shown."
        case .loading(let action):
            "\(actionClause(action)) and the answer is not there yet. A second press joins the first."
        case .disabled(let action):
            "\(titles.actionLabel(action)) cannot be pressed yet: \(enablingRule(of: action))."
        case .confirm(let action): confirmationSentence(for: action)
        case .fieldError(let field, let message):
            "\(titles.fieldLabel(field).capitalizedFirst) breaks a rule, so nothing is sent."
                + messageSentence(message)
        case .failure(let action, let call, let index): failureSentence(action, call, index)
        case .unknownFailure(let action):
            "\(actionClause(action)) and the backend refused in a way the manifest has "
                + "no words for. The backend's own are shown, or"
                + quotedSentence(app.network.messages.serverError)
        case .network(let action, let trouble):
            "\(actionClause(action)) \(trouble.clause)."
                + messageSentence(app.network.messages.message(for: trouble))
        case .success(let action, let saying): successSentence(action, saying)
        case .sessionExpired:
            "The backend no longer took the tokens and they could not be "
                + "renewed, so the app came here." + messageSentence(app.session.expired?.message)
        }
    }

    /// What the walkthrough says of the screen; for its default state alone.
    func note(of state: ScreenState) -> String? {
        guard state.cause == .initial else { return nil }
        return app.walkthrough.first { $0.screen == screen.id }?.note
    }

    // MARK: Parts of a sentence

    private func actionClause(_ action: String) -> String {
        screen.action(action) == nil
            ? "The app was started" : "\(titles.actionLabel(action)) was pressed"
    }

    private func quotedSentence(_ text: String) -> String {
        let ends = text.last.map { ".!?".contains($0) } ?? false
        return " “\(text)”" + (ends ? "" : ".")
    }

    private func messageSentence(_ message: String?) -> String {
        message.map { " It reads" + quotedSentence($0) } ?? ""
    }

    private func enablingRule(of action: String) -> String {
        switch screen.action(action)?.enabledRule {
        case .filled(let names)?:
            names.map(titles.fieldLabel).joined(separator: " and ") + " must not be empty"
        default: "every field must keep its rules first"
        }
    }

    private func confirmationSentence(for action: String) -> String {
        let asked = screen.action(action)
        if let text = asked?.confirmation?.text {
            return "\(titles.actionLabel(action)) asks first." + messageSentence(text)
        }
        let reason = asked?.biometricCheck?.reason
        return "The device's sensor is asked before anything is sent." + messageSentence(reason)
    }

    private func failureSentence(_ action: String, _ call: String, _ index: Int) -> String {
        let failures = app.calls[call]?.failures ?? []
        guard failures.indices.contains(index) else { return actionClause(action) }
        let failure = failures[index]
        let status =
            failure.status.isEmpty
            ? "" : " with " + failure.status.prefix(3).map(String.init).joined(separator: " or ")
        let code = failure.expectedValues.sorted { $0.key < $1.key }.map {
            $0.value.split { $0 == "*" }.joined()
        }.filter { !["", "true", "false", "null"].contains($0) }.joined(separator: ", ")
        return "\(actionClause(action)) and the backend refused \(call)\(status)"
            + (code.isEmpty ? "." : " (\(code)).")
            + (failure.message.map { messageSentence($0) } ?? " The backend's own words are shown.")
    }

    private func successSentence(_ action: String, _ saying: ScreenState.Feedback) -> String {
        let asked = screen.action(action)
        let text =
            switch saying {
            case .toast: asked?.toast
            case .notice: asked?.notice ?? asked?.navigationRules.compactMap(\.notice).first
            case .alert: asked?.alert?.text
            }
        return "\(titles.actionLabel(action)) worked, and a \(saying.label) says so."
            + messageSentence(text)
    }
}

extension ScreenState.NetworkFailure {
    /// After "Login was pressed".
    fileprivate var clause: String {
        switch self {
        case .offline: "while the phone was offline"
        case .timeout: "and no answer came in time"
        case .connection: "and nobody could be reached"
        case .invalidResponse: "and the answer could not be read"
        }
    }
}

extension Network.Messages {
    func message(for trouble: ScreenState.NetworkFailure) -> String {
        switch trouble {
        case .offline: offline
        case .timeout: timeout
        case .connection: connection
        case .invalidResponse: invalidResponse
        }
    }
}
