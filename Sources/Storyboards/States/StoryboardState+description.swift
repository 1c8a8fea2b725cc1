import Apps
import Web

/// What a state means, in one or two sentences.
extension StoryboardState {
    package var description: String {
        origin == nil || kind == .initial
            ? causeDescription : causeDescription + " The app navigated here."
    }

    private var causeDescription: String {
        switch cause {
        case .initial:
            screen.kind == .launch
                ? "Shown at app start while the launch rules decide the first screen."
                : "The initial state of the screen."
        case .loading:
            "\(actionClause) and the response is pending. Repeated taps are ignored."
        case .disabled: "\(actionLabel) is disabled: \(enablingRule)."
        case .confirm: confirmationSentence
        case .page:
            "The page that \(actionLabel) opens in the app's browser. It is not part of the app."
        case .fieldError(let field, let message):
            "\(fieldLabel(field).capitalizedFirst) is invalid, so no request is sent."
                + messageSentence(message)
        case .failure(_, let call, _): failureSentence(call)
        case .unknownFailure:
            "\(actionClause) and the backend returned an error the manifest does not "
                + "handle. The app shows the server message, or"
                + quotedSentence(app.network.messages.serverError)
        case .network(_, let failure):
            "\(actionClause) \(failure.clause)."
                + messageSentence(messages.first)
        case .success(_, let feedback):
            "\(actionLabel) succeeded; a \(feedback.label) is shown."
                + messageSentence(messages.first)
        case .sessionExpired:
            "The backend no longer accepted the tokens and they could not be "
                + "refreshed, so the app navigated here."
                + messageSentence(app.session.expired?.message)
        case .loadFailure(let call):
            "The screen was opened and its call \(call) failed, so it shows what it has."
        case .choice(_, let field, _):
            "\(actionLabel) succeeded with \(title) chosen as \(field)."
        case .bypass: "\(actionLabel) opened the screen without a session."
        case .contribution: "\(actionLabel) added what the screen shows."
        }
    }

    /// The texts of the manifest that only this state shows, the message itself first.
    var messages: [String] {
        let texts: [String?] =
            switch cause {
            case .initial, .loading, .disabled, .page, .loadFailure, .choice, .bypass,
                .contribution:
                []
            case .fieldError(_, let message): [message]
            case .failure: [failureRow?.message]
            case .unknownFailure: [app.network.messages.serverError]
            case .network(_, let failure): [app.network.messages.message(for: failure)]
            case .confirm:
                [
                    action?.confirmation?.title, action?.confirmation?.text,
                    action?.confirmation?.confirmLabel, action?.confirmation?.cancelLabel,
                    action?.biometricCheck?.reason,
                ]
            case .success(_, .toast): [action?.toast]
            case .success(_, .notice):
                [action?.notice] + (action?.navigationRules.map(\.notice) ?? [])
            case .success(_, .alert):
                [action?.alert?.text, action?.alert?.title, action?.alert?.buttonLabel]
            case .sessionExpired: [app.session.expired?.message, app.session.expired?.title]
            }
        return texts.compactMap(\.self)
    }

    /// The walkthrough's note on the screen; for the default state only.
    package var note: String? {
        guard cause == .initial else { return nil }
        return app.walkthrough.first { $0.screen == screen.id }?.note
    }

    // MARK: Clauses and sentences

    private var actionClause: String {
        action == nil ? "The app was started" : "\(actionLabel) was pressed"
    }

    private func quotedSentence(_ text: String) -> String {
        let ends = text.last.map { ".!?".contains($0) } ?? false
        return " “\(text)”" + (ends ? "" : ".")
    }

    private func messageSentence(_ message: String?) -> String {
        message.map { " Message:" + quotedSentence($0) } ?? ""
    }

    private var enablingRule: String {
        guard case .filled(let names)? = action?.enabledRule else {
            return "all fields must be valid"
        }
        return names.map(fieldLabel).joined(separator: " and ") + " must not be empty"
    }

    private var confirmationSentence: String {
        if let text = action?.confirmation?.text {
            return "\(actionLabel) requires confirmation." + messageSentence(text)
        }
        if action?.browserPage != nil {
            return "The system asks before it opens the page of another site."
        }
        return "Biometric authentication is required before the request is sent."
            + messageSentence(action?.biometricCheck?.reason)
    }

    private func failureSentence(_ call: String) -> String {
        guard let failure = failureRow else { return actionClause }
        let status =
            failure.status.isEmpty
            ? "" : " with " + failure.status.prefix(3).map(String.init).joined(separator: " or ")
        let code = failure.expectedCodes.joined(separator: ", ")
        return "\(actionClause) and the backend rejected \(call)\(status)"
            + (code.isEmpty ? "." : " (\(code)).")
            + (failure.message.map { messageSentence($0) } ?? " The server message is shown.")
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
