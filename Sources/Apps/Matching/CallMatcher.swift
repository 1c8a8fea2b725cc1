import FoundationEssentials
package import Web

/// The calls of an app as one backend speaks them, looked up by a request
/// that is one of them: `RequestTemplate` read backwards.
package struct CallMatcher: Sendable {
    private let candidates: [Candidate]

    /// One call, its path cut up once.
    private struct Candidate: Sendable {
        let name: String
        let call: Call
        let path: PathPattern
        /// Where it goes instead of the backend's base: a URL.
        let base: String?
    }

    /// `settings` fill the bases of calls that have one of their own.
    package init(_ app: App, backend: String, settings: Variables) {
        let names = app.calls.keys.filter { !app.isCallMissing($0, backend: backend) }
        candidates = names.sorted().compactMap { name in
            guard let call = app.call(name, backend: backend) else { return nil }
            var base = call.request.base.map(settings.fill) ?? ""
            while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
            let isBelow = base.isEmpty || base.hasPrefix("/")
            return Candidate(
                name: name, call: call,
                path: PathPattern((isBelow ? base : "") + call.request.path),
                base: isBelow ? nil : base)
        }
    }

    /// The URL a request goes to instead of the backend's base: the own base
    /// of a call that is asked for there.
    package func customBase(for method: Method, path: String) -> String? {
        let segments = PathPattern.segments(path)
        var own: String?
        for page in candidates
        where page.call.request.method == method && page.path.matches(path, segments) {
            guard let base = page.base else { return nil }
            own = own ?? base
        }
        return own
    }

    /// The calls a request may be, those that fit it best: more than one if
    /// they are asked alike.
    package func matchedCalls(for seen: ObservedRequest) -> [MatchedCall] {
        let segments = PathPattern.segments(seen.path)
        let fitting = candidates.filter {
            $0.call.request.method == seen.method && $0.path.matches(seen.path, segments)
        }
        var best = Int.min
        var found: [MatchedCall] = []
        for page in fitting {
            var match = RequestComparison(variables: page.path.variables(in: segments))
            match.compare(page.call.request, with: seen)
            if match.hasConflict, fitting.count > 1 { continue }
            guard match.score >= best else { continue }
            if match.score > best { found = [] }
            best = match.score
            found.append(MatchedCall(name: page.name, call: page.call, variables: match.variables))
        }
        return found
    }
}
