package import Web

extension App {
    /// What the user reads of a failure a backend told: the row's words, else
    /// the backend's own, else the app's for that status; within the action's
    /// frame if it has one.
    package func failureMessage(
        for failure: Call.Failure?, backendMessage message: String?, status: Int, action: Action?,
        variables: Variables
    ) -> String {
        var variables = variables
        variables.values["status"] = .int(Int64(status))
        variables.values["message"] = JSON(message)
        let words =
            failure?.message.map(variables.fill) ?? message
            ?? variables.fill(network.messages.serverError)
        return failureText(words, action: action, variables: variables)
    }

    /// `words` as `action` shows a failure's words.
    package func failureText(_ words: String, action: Action?, variables: Variables) -> String {
        guard let frame = action?.onFailure.text else { return words }
        var variables = variables
        variables.values["message"] = .string(words)
        return variables.fill(frame)
    }
}

extension Screen {
    /// The screen's text, cut at its variables; `textOtherwise` where one of
    /// them, or of what it needs besides, is not known.
    package func textSegments(_ variables: Variables) -> [Variables.Segment] {
        guard let text else { return [] }
        if let textOtherwise = fallbackText,
            !variables.hasValues(for: text) || !variables.hasValues(for: textRequiredNames)
        {
            return variables.segments(textOtherwise)
        }
        return variables.segments(text)
    }
}

extension Action.NavigationRule {
    /// Whether the row is the one to follow, given what is held.
    package func matches(_ held: [String: JSON]) -> Bool {
        let holds = { (name: String) in held[name].map { $0 != .null } ?? false }
        return requiredNames.allSatisfy(holds) && !absentNames.contains(where: holds)
            && `expectedValues`.allSatisfy { held[$0.key]?.scalarText == $0.value }
    }
}
