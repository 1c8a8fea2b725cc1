import Web

extension App {
    /// The call by which `backend` tells whether it takes the access token:
    /// the manifest's own, or the first that only reads with it, those of a
    /// start before others. Nil if the app never asks such a thing.
    package func probeCall(for backend: String) -> String? {
        let launched = launch.flatMap(\.calls)
        let names = [session.probeCall].compactMap(\.self) + launched + calls.keys.sorted()
        return names.first { name in
            guard !isCallMissing(name, backend: backend),
                let request = call(name, backend: backend)?.request
            else { return false }
            let carries = request.bearerName == "accessToken" || request.carries("accessToken")
            return carries && (name == session.probeCall || request.method == .get)
        }
    }
}
