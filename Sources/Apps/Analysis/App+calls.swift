import Web

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
            return request.carries("accessToken")
                && (name == session.probeCall || request.method == .get)
        }
    }

    /// Every text of the manifest that users see, with the screens that may show it.
    package var texts: [ManifestText] {
        writtenTexts.map { text in
            var text = text
            text.screens = screens.filter { shows(text.path, on: $0) }.map(\.id)
            return text
        }
    }

    /// Whether `screen` may show the text at `path`.
    private func shows(_ path: [String], on screen: Screen) -> Bool {
        switch path[0] {
        case "screens": return screen.id == path[1]
        case "session": return screen.id == session.expired?.destination
        case "launch": return screen.kind == .launch
        case "failures", "settings", "network":
            return screen.kind == .launch || screen.allActions.contains { !$0.calls.isEmpty }
        default:
            guard let call = path.calledName else { return true }
            return screen.callsOnLoad.contains(call)
                || screen.kind == .launch && launch.contains { $0.calls.contains(call) }
                || screen.allActions.contains { $0.allCalls.contains(call) }
        }
    }
}
