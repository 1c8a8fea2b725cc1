package import Web

/// Finds the calls of an app, in one backend's dialect, that a request matches: the inverse of
/// `RequestTemplate`.
package struct CallMatcher: Sendable {
    private let candidates: [Candidate]
    /// Those of the app.
    package let passwordFields: Set<String>

    /// A call with its parsed path.
    private struct Candidate: Sendable {
        let name: String
        let call: Call
        let path: PathPattern
        /// A URL that replaces the backend's base.
        let base: String?
    }

    /// `settings` fill in the variables of the calls' own bases.
    package init(_ app: App, backend: String, settings: Variables) {
        passwordFields = app.passwordFields
        let names = app.calls.keys.filter { !app.isCallMissing($0, backend: backend) }
        candidates = names.sorted().compactMap { name in
            guard let call = app.call(name, backend: backend) else { return nil }
            let base = (call.request.base.map(settings.fill) ?? "").withoutTrailingSlashes
            let isRelative = base.isEmpty || base.hasPrefix("/")
            return Candidate(
                name: name, call: call,
                path: PathPattern((isRelative ? base : "") + call.request.path),
                base: isRelative ? nil : base)
        }
    }

    /// The URL that replaces the backend's base for a request.
    ///
    /// That is the own base of a call with this method and path; nil if one of those calls uses the
    /// backend's base.
    package func customBase(for method: Method, path: String) -> String? {
        let bases = candidates(for: method, path, PathPattern.segments(path)).map(\.base)
        return bases.contains(nil) ? nil : bases.first ?? nil
    }

    private func candidates(for method: Method, _ path: String, _ segments: [String]) -> [Candidate]
    { candidates.filter { $0.call.request.method == method && $0.path.matches(path, segments) } }

    /// The calls that match the request best; several if their requests are alike.
    package func matchedCalls(for request: ObservedRequest) -> [MatchedCall] {
        let segments = PathPattern.segments(request.path)
        let matching = candidates(for: request.method, request.path, segments)
        let comparisons = matching.map { candidate in
            var comparison = RequestComparison(variables: candidate.path.variables(in: segments))
            comparison.compare(candidate.call.request, with: request)
            return (candidate, comparison)
        }.filter { !$0.1.hasConflict || matching.count == 1 }
        let bestScore = comparisons.map(\.1.score).max()
        return comparisons.filter { $0.1.score == bestScore }.map { candidate, comparison in
            MatchedCall(name: candidate.name, call: candidate.call, variables: comparison.variables)
        }
    }
}

/// A call of an app that an observed request matches.
package struct MatchedCall: Sendable {
    package var name: String
    package var call: Call
    /// The request's values of the call's variables, by name.
    package var variables: [String: JSON]
}
