import Web

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

extension App {
    /// The call that checks whether `backend` accepts the access token.
    ///
    /// The manifest's `probe`, else the first GET that carries the token, launch calls first. Nil
    /// if the app has no such call.
    package func probeCall(for backend: String) -> String? {
        let launchCalls = launch.flatMap(\.calls)
        let names = [session.probeCall].compactMap(\.self) + launchCalls + calls.keys.sorted()
        return names.first { name in
            guard !isCallMissing(name, backend: backend),
                let request = call(name, backend: backend)?.request
            else { return false }
            let carriesToken = request.bearerName == "accessToken" || request.carries("accessToken")
            return carriesToken && (name == session.probeCall || request.method == .get)
        }
    }
}

extension App {
    /// The names of the app's password fields; their values are never stored.
    package var passwordFields: Set<String> {
        Set(screens.flatMap(\.fields).filter { $0.type == .password }.map(\.name))
    }
}
