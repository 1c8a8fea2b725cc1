extension RequestTemplate {
    /// The names of its variables.
    package var variableNames: Set<String> { Set(variables(at: []).map(\.name)) }
}

extension App {
    /// The variables used by calls and texts, by full name: `email`, `device.uuid`, `user.email`.
    package var usedVariables: Set<String> {
        var used: Set<String> = []
        let add = { (text: String?) in
            if let text { used.formUnion(TextTemplate(text).variableNames) }
        }
        for (_, _, call) in allCalls {
            used.formUnion(call.request.variables(at: []).map(\.name))
            if let bearer = call.request.bearerName { used.insert(bearer) }
            for failure in call.failures { add(failure.message) }
        }
        for key in storage { add(key.value) }
        for screen in screens {
            add(screen.title)
            add(screen.text)
            add(screen.fallbackText)
            for action in screen.allActions {
                add(action.label)
                add(action.biometricCheck?.missingMessage)
                add(action.toast)
                add(action.notice)
                add(action.alert?.text)
                add(action.confirmation?.text)
            }
        }
        // Provided by the failure itself.
        return used.subtracting(["status", "message"])
    }
}
