import Apps
import Web

/// The display title of a state.
extension StoryboardState {
    /// `Field error: email`, `Error 401`, `Loading`. Unique within a screen where the manifest
    /// distinguishes the states.
    package var title: String { (uncapitalizedTitle + originSuffix).capitalizedFirst }

    /// How another screen led to it: ` after Login`, ` at launch`.
    private var originSuffix: String {
        guard let origin, action?.bypassesSession != true else { return "" }
        switch cause {
        case .choice, .contribution: return ""
        default: break
        }
        return origin.kind == .launch && action == nil ? " at launch" : " after \(actionLabel)"
    }

    private var uncapitalizedTitle: String {
        switch cause {
        case .initial: "default"
        case .loading: qualifiedTitle("loading")
        case .disabled: qualifiedTitle("disabled")
        case .confirm: "confirmation: " + actionLabel
        case .page: "page: " + actionLabel
        case .fieldError(let field, _): "field error: " + fieldLabels(field) + ruleSuffix
        case .failure(_, let call, let index): failureTitle(failureLabel(call, index))
        case .unknownFailure: qualifiedTitle("error: any other")
        case .network(_, let failure): qualifiedTitle(failure.label)
        case .success(_, let feedback): feedback.label + ": " + actionLabel
        case .sessionExpired: "session expired"
        case .loadFailure(let call): "not loaded: \(call)"
        case .choice(_, let field, let value): optionLabel(field, value)
        case .bypass, .contribution: "after \(actionLabel)"
        }
    }

    /// Appends the action's label if another action of the screen has a state of the same kind.
    private func qualifiedTitle(_ title: String) -> String {
        guard statesOfOtherActions.contains(where: { StateKind($0.cause) == kind }) else {
            return title
        }
        return title + (title.contains(":") ? ", " : ": ") + actionLabel
    }

    /// Appends the action's label if another action has a failure with the same label.
    private func failureTitle(_ label: String) -> String {
        let isRepeated = statesOfOtherActions.contains { other in
            guard case .failure(_, let call, let index) = other.cause else { return false }
            return failureLabel(call, index) == label
        }
        return isRepeated ? "\(label), \(actionLabel)" : label
    }

    private var statesOfOtherActions: some Sequence<ScreenState> {
        let origin = origin?.id
        return siblings.lazy.filter {
            $0.origin == origin && $0.cause.action != nil && $0.cause.action != cause.action
        }
    }

    private func optionLabel(_ field: String, _ value: String) -> String {
        let options = actingScreen.fields.first { $0.name == field }?.options ?? []
        return options.first { $0.value == value }?.label ?? value
    }

    func fieldLabel(_ name: String) -> String {
        let field = screen.fields.first { $0.name == name }
        // The label of a toggle is a full sentence.
        guard let field, field.type != .toggle else { return name }
        return field.label.uncapitalizedWords.truncated(to: 24)
    }

    /// The label of the field, or of all fields of a rule that covers several.
    private func fieldLabels(_ first: String) -> String {
        let rule = screen.rules.first { rule in
            rule.fields.count > 1 && rule.fields.first == first
                && name.hasPrefix("error.\(rule.fields.joined(separator: "-")).")
        }
        guard let names = rule?.fields else { return fieldLabel(first) }
        return names.count == 2
            ? names.map(fieldLabel).joined(separator: " or ") : "any of \(names.count)"
    }

    /// Names the violated rule if several rules of the field have states of their own.
    private var ruleSuffix: String {
        let parts = name.split(separator: ".")
        guard parts.count == 3, let test = parts.last,
            case .fieldError(let field, _) = cause
        else { return "" }
        let isToggle = screen.fields.contains { $0.name == field && $0.type == .toggle }
        let suffix =
            switch test {
            case "required": isToggle ? "off" : "empty"
            case "pattern": "invalid format"
            case "min": "too short"
            case "max": "too long"
            case "same": "mismatch"
            case "oneOf": "invalid choice"
            default: String(test)
            }
        return ", " + suffix
    }

    /// `error 401: “Invalid email”`, `error 409: EMAIL_EXISTS`, `error: WEAK_PASSWORD`.
    private func failureLabel(_ call: String, _ index: Int) -> String {
        guard let failure = app.failure(of: call, at: index) else { return call }
        let statuses = failure.status.filter { !(200..<300).contains($0) }
        let status =
            (1...3).contains(statuses.count)
            ? statuses.map(String.init).joined(separator: " or ") : nil
        let detail =
            (failure.kind ?? failure.expectedCodes.first)?.truncated(to: 60)
            ?? failure.message.map {
                "“\($0.replacingPlaceholders(with: "…").truncated(to: 60))”"
            }
        let readable = detail.flatMap { $0.contains(where: \.isLetter) ? $0 : nil }
        let prefix = ["error", status].compactMap(\.self).joined(separator: " ")
        return [prefix, readable ?? (status == nil ? "server message" : nil)].compactMap(\.self)
            .joined(separator: ": ")
    }
}

extension String {
    /// Turns `First Name` into `first name`; words with further capitals are unchanged.
    var uncapitalizedWords: String {
        split(separator: " ", omittingEmptySubsequences: false).map { word in
            word.dropFirst().contains(where: \.isUppercase) || word == "I"
                ? String(word) : word.lowercased()
        }.joined(separator: " ")
    }

    /// The text with `replacement` for each placeholder in braces.
    func replacingPlaceholders(with replacement: String) -> String {
        var result = ""
        var remaining = self[...]
        while let open = remaining.firstIndex(of: "{"),
            let close = remaining[open...].firstIndex(of: "}")
        {
            result += remaining[..<open] + replacement
            remaining = remaining[remaining.index(after: close)...]
        }
        return result + remaining
    }
}

extension Call.Failure {
    /// The values that identify the failure, without wildcards and without those that say nothing
    /// to a reader.
    var expectedCodes: [String] {
        expectedValues.sorted { $0.key < $1.key }.map { $0.value.split { $0 == "*" }.joined() }
            .filter { !["", "true", "false", "null"].contains($0) }
    }
}

extension ScreenState.NetworkFailure {
    var label: String {
        switch self {
        case .offline, .timeout: rawValue
        case .connection: "no connection"
        case .invalidResponse: "malformed response"
        }
    }
}

extension ScreenState.Feedback {
    var label: String { self == .alert ? "dialog" : rawValue }
}
