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
            let carriesToken = request.bearerName == "accessToken" || request.carries("accessToken")
            return carriesToken && (name == session.probeCall || request.method == .get)
        }
    }
}
