import Apps

/// What a state is, in a sentence or two.
struct StateSentence {
    let words: StateWords

    private var app: App { words.app }
    private var screen: Screen { words.screen }

    func sentence(of state: ScreenState) -> String {
        switch state.cause {
        case .initial:
            screen.kind == .launch
                ? "What a start of the app shows while its table decides where to go."
                : "The screen as it is first shown."
        case .loading(let action):
            "\(act(action)) and the answer is not there yet. A second press joins the first."
        case .disabled(let action):
            "\(words.label(action)) cannot be pressed yet: \(waiting(action))."
        case .confirm(let action): asking(action)
        case .fieldError(let field, let message):
            "\(words.field(field).capitalizedFirst) breaks a rule, so nothing is sent."
                + reads(message)
        case .failure(let action, let call, let index): refused(action, call, index)
        case .unknownFailure(let action):
            "\(act(action)) and the backend refused in a way the manifest has "
                + "no words for. The backend's own are shown, or"
                + quoted(app.network.messages.server)
        case .network(let action, let trouble):
            "\(act(action)) \(trouble.happening)." + reads(app.network.messages.said(of: trouble))
        case .success(let action, let saying): said(action, saying)
        case .sessionLost:
            "The backend no longer took the tokens and they could not be "
                + "renewed, so the app came here." + reads(app.session.lost?.message)
        }
    }

    /// What the walkthrough says of the screen; for its default state alone.
    func note(of state: ScreenState) -> String? {
        guard state.cause == .initial else { return nil }
        return app.walkthrough.first { $0.screen == screen.id }?.note
    }

    // MARK: Parts of a sentence

    private func act(_ action: String) -> String {
        screen.action(action) == nil ? "The app was started" : "\(words.label(action)) was pressed"
    }

    private func quoted(_ text: String) -> String {
        let ends = text.last.map { ".!?".contains($0) } ?? false
        return " “\(text)”" + (ends ? "" : ".")
    }

    private func reads(_ message: String?) -> String {
        message.map { " It reads" + quoted($0) } ?? ""
    }

    private func waiting(_ action: String) -> String {
        switch screen.action(action)?.enabled {
        case .filled(let names)?:
            names.map(words.field).joined(separator: " and ") + " must not be empty"
        default: "every field must keep its rules first"
        }
    }

    private func asking(_ action: String) -> String {
        let asked = screen.action(action)
        if let text = asked?.confirm?.text {
            return "\(words.label(action)) asks first." + reads(text)
        }
        let reason = asked?.biometric?.reason
        return "The device's sensor is asked before anything is sent." + reads(reason)
    }

    private func refused(_ action: String, _ call: String, _ index: Int) -> String {
        let failures = app.calls[call]?.failures ?? []
        guard failures.indices.contains(index) else { return act(action) }
        let failure = failures[index]
        let status =
            failure.status.isEmpty
            ? "" : " with " + failure.status.prefix(3).map(String.init).joined(separator: " or ")
        let code = failure.where.sorted { $0.key < $1.key }.map {
            $0.value.split { $0 == "*" }.joined()
        }.filter { !["", "true", "false", "null"].contains($0) }.joined(separator: ", ")
        return "\(act(action)) and the backend refused \(call)\(status)"
            + (code.isEmpty ? "." : " (\(code)).")
            + (failure.message.map { reads($0) } ?? " The backend's own words are shown.")
    }

    private func said(_ action: String, _ saying: ScreenState.Saying) -> String {
        let asked = screen.action(action)
        let text =
            switch saying {
            case .toast: asked?.toast
            case .notice: asked?.notice ?? asked?.goWhen.compactMap(\.notice).first
            case .alert: asked?.alert?.text
            }
        return "\(words.label(action)) worked, and a \(saying.words) says so." + reads(text)
    }
}

extension ScreenState.Trouble {
    /// After "Login was pressed".
    fileprivate var happening: String {
        switch self {
        case .offline: "while the phone was offline"
        case .timeout: "and no answer came in time"
        case .connection: "and nobody could be reached"
        case .invalidResponse: "and the answer could not be read"
        }
    }
}

extension Network.Messages {
    func said(of trouble: ScreenState.Trouble) -> String {
        switch trouble {
        case .offline: offline
        case .timeout: timeout
        case .connection: connection
        case .invalidResponse: invalidResponse
        }
    }
}
