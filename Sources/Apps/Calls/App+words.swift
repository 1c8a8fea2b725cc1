package import Web

extension App {
    /// What the user reads of a failure a backend told: the row's words, else
    /// the backend's own, else the app's for that status; within the action's
    /// frame if it has one.
    package func words(
        for failure: Call.Failure?, told message: String?, status: Int, action: Action?,
        variables: Variables
    ) -> String {
        var variables = variables
        variables.values["status"] = .int(Int64(status))
        variables.values["message"] = JSON(message)
        let words =
            failure?.message.map(variables.fill) ?? message
            ?? variables.fill(network.messages.server)
        return frame(words, action: action, variables: variables)
    }

    /// `words` as `action` shows a failure's words.
    package func frame(_ words: String, action: Action?, variables: Variables) -> String {
        guard let frame = action?.onFailure.text else { return words }
        var variables = variables
        variables.values["message"] = .string(words)
        return variables.fill(frame)
    }
}

extension Screen {
    /// The screen's text, cut at its variables; `textOtherwise` where one of
    /// them, or of what it needs besides, is not known.
    package func pieces(_ variables: Variables) -> [Variables.Piece] {
        guard let text else { return [] }
        if let textOtherwise, !variables.know(all: text) || !variables.know(all: textNeeds) {
            return variables.pieces(textOtherwise)
        }
        return variables.pieces(text)
    }
}

extension Action.GoRow {
    /// Whether the row is the one to follow, given what is held.
    package func fits(_ held: [String: JSON]) -> Bool {
        let holds = { (name: String) in held[name].map { $0 != .null } ?? false }
        return captured.allSatisfy(holds) && !missing.contains(where: holds)
            && `where`.allSatisfy { held[$0.key]?.text == $0.value }
    }
}
