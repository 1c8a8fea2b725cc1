package import Web

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

extension Action.NavigationRule {
    /// Whether the rule applies to the stored and remembered `values`.
    package func matches(_ values: [String: JSON]) -> Bool { conditions.areMet { values[$0] } }
}
