package import Web

/// The values that `{name}` refers to while a call is built or a text is shown.
package struct Variables: Sendable {
    /// Form fields, captured values, settings, device properties; on a conflict the caller decides
    /// which wins.
    package var values: [String: JSON]

    package init(_ values: [String: JSON] = [:]) { self.values = values }

    /// The value of `name`; `user.email` follows members. Null counts as missing.
    package subscript(name: String) -> JSON? {
        if let value = values[name] { return value.nonNull }
        let steps = name.split(separator: ".").map(String.init)
        guard steps.count > 1, let root = values[steps[0]] else { return nil }
        return steps.dropFirst().reduce(root) { $0?[$1] }?.nonNull
    }

    /// `text` with every `{name}` replaced; `{user.email}` follows members. An unknown name becomes
    /// empty.
    package func fill(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return segments(text).map(\.text).joined()
    }

    /// The text split into literal and variable segments, so that a page can style the variables.
    package func segments(_ text: String) -> [Segment] {
        TextTemplate(text).parts.map { part in
            switch part {
            case .plain(let text): Segment(text: text, isVariable: false)
            case .variable(let name): Segment(text: self[name]?.scalarText ?? "", isVariable: true)
            }
        }
    }

    /// Whether every variable of `text` has a non-empty value.
    package func hasValues(for text: String) -> Bool {
        hasValues(for: TextTemplate(text).variableNames)
    }

    /// Whether each of `names` has a non-empty value.
    package func hasValues(for names: some Sequence<String>) -> Bool {
        names.allSatisfy { self[$0]?.scalarText.map { !$0.isEmpty } ?? false }
    }

    /// Part of a filled-in text.
    package struct Segment: Sendable, Equatable {
        package var text: String
        package var isVariable: Bool
    }
}

extension App {
    /// The message a user reads for a failed response.
    ///
    /// The failure row's message, else the backend's, else the app's `serverError` for that status;
    /// inserted into the action's template if it has one.
    package func failureMessage(
        for failure: Call.Failure?, backendMessage message: String?, status: Int, action: Action?,
        variables: Variables
    ) -> String {
        var variables = variables
        variables.values["status"] = .int(Int64(status))
        variables.values["message"] = JSON(message)
        let text =
            failure?.message.map(variables.fill) ?? message
            ?? variables.fill(network.messages.serverError)
        return failureText(text, action: action, variables: variables)
    }

    /// `text` inserted into the action's failure template, if it has one.
    package func failureText(_ text: String, action: Action?, variables: Variables) -> String {
        guard let template = action?.onFailure.text else { return text }
        var variables = variables
        variables.values["message"] = .string(text)
        return variables.fill(template)
    }
}

extension Screen {
    /// The screen's text, split at its variables.
    ///
    /// `fallbackText` is used if one of them, or one of `textRequiredNames`, has no value.
    package func textSegments(_ variables: Variables) -> [Variables.Segment] {
        guard let text else { return [] }
        if let fallback = fallbackText,
            !variables.hasValues(for: text) || !variables.hasValues(for: textRequiredNames)
        {
            return variables.segments(fallback)
        }
        return variables.segments(text)
    }
}

extension Action {
    /// Whether the stored and remembered `values` that it needs to be shown are there.
    package func isShown(_ values: [String: JSON]) -> Bool {
        requiredNames.allSatisfy { values[$0]?.nonNull != nil }
    }
}

extension Action.NavigationRule {
    /// Whether the rule applies to the stored and remembered `values`.
    package func matches(_ values: [String: JSON]) -> Bool { conditions.areMet { values[$0] } }
}
