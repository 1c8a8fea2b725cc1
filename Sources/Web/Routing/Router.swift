/// Finds the route of a request.
///
/// The routes are validated at initialization: two for the same method and address are a
/// programming error, not bad input.
package struct Router: Sendable {
    package let routes: [Route]
    private let root: RouteNode
    /// The literal prefix of each subtree, and its number of segments.
    private let subtrees: [(start: String, depth: Int)]

    package init(_ routes: [Route]) {
        let error = Self.validationError(in: routes)
        precondition(error == nil, error ?? "")
        self.routes = routes
        root = RouteNode(
            routes.map { route in (route.basePattern.split(separator: "/")[...], route) })
        subtrees = routes.filter(\.isSubtree).map { route in
            let segments = route.basePattern.split(separator: "/")
            let literals = segments.prefix { !$0.hasPrefix("{") }
            return ("/" + literals.joined(separator: "/") + "/", segments.count)
        }
    }

    /// The first error in a list of routes, nil if they are valid.
    package static func validationError(in routes: [Route]) -> String? {
        var seen: Set<String> = []
        /// The name of the parameter after each pattern prefix.
        var namesByPrefix: [String: String] = [:]
        for route in routes {
            let line = "\(route.method.rawValue) \(route.pattern)"
            guard route.pattern.hasPrefix("/") else { return "\(line) does not begin with /" }
            var names: Set<String> = []
            var shape = ""
            for segment in route.basePattern.split(separator: "/") {
                guard segment.contains(where: { "{}".contains($0) }) else {
                    shape += "/" + segment
                    continue
                }
                let name = String(segment.dropFirst().dropLast())
                guard segment == "{\(name)}", !name.isEmpty, name.utf8.allSatisfy(\.isLetter) else {
                    return "\(line): \(segment) is not a parameter; write {name}"
                }
                guard names.insert(name).inserted else {
                    return "\(line) has two parameters named \(name)"
                }
                if let other = namesByPrefix.updateValue(name, forKey: shape), other != name {
                    return "\(line) names a parameter \(name) that other routes name " + other
                }
                shape += "/{}"
            }
            guard seen.insert("\(route.method.rawValue) \(shape)").inserted else {
                return "\(line) is registered twice"
            }
        }
        return nil
    }

    /// Parses a request target. Below a subtree's root only the root is parsed; the remainder is
    /// forwarded as it was sent.
    package func target(of rawTarget: String) throws(Problem) -> RequestTarget {
        for subtree in subtrees where rawTarget.hasPrefix(subtree.start) {
            var slashes = 0
            let end = rawTarget.utf8.firstIndex { byte in
                if byte == UInt8(ascii: "?") { return true }
                if byte == UInt8(ascii: "/") { slashes += 1 }
                return slashes > subtree.depth
            }
            guard let end else { continue }
            return try RequestTarget(
                parsing: String(rawTarget[..<end]), subtreeRemainder: rawTarget[end...])
        }
        return try RequestTarget(parsing: rawTarget)
    }

    /// The route of `target` and its parameter values.
    ///
    /// Throws a 404, or a 405 that lists the allowed methods. GET's route also handles HEAD, and
    /// OPTIONS returns the allowed methods.
    package func find(_ method: Method, _ target: RequestTarget) throws(Problem) -> (
        route: Route, parameters: [String: String]
    ) {
        var parameters: [String: String] = [:]
        guard let node = root.find(target.segments[...], &parameters) else {
            throw Problem(
                status: 404, code: "not-found", title: "Page not found",
                detail: "No route matches \(target.path.prefix(200)).")
        }
        guard let route = node.route(for: method) else {
            throw Problem(
                status: 405, code: "method-not-allowed", title: "Method not allowed",
                detail: """
                    \(target.path.prefix(200)) allows \(node.allowedMethods).
                    """, headers: ["Allow": node.allowedMethods])
        }
        return (route, parameters)
    }
}

/// A route: method, path pattern, access rule and handler.
package struct Route: Sendable {
    package typealias Handler = @Sendable (RequestContext) async throws -> Response

    package let method: Method
    /// `/sessions/{session}`: a parameter in braces matches one segment. A `/*` at the end matches
    /// everything below, as sent, with any method.
    package let pattern: String
    package let access: Access
    package let handler: Handler

    /// What a request needs to reach the route.
    package enum Access: Sendable {
        /// Requires the key.
        case key
        /// Requires no key: the health check, files, and all routes of the embedded backend.
        case open
        /// A backend's proxy: for programs, never for pages of other origins; the segment after the
        /// first names the workspace.
        case proxy
    }

    /// Whether the route handles everything below its pattern.
    package var isSubtree: Bool { pattern.hasSuffix("/*") }

    /// The pattern without a subtree's `/*`.
    var basePattern: Substring { isSubtree ? pattern.dropLast(2) : pattern[...] }

    package init(
        _ method: Method, _ pattern: String, access: Access = .key, handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.handler = handler
    }

    /// The same route with another handler.
    package func replacingHandler(with handler: @escaping Handler) -> Route {
        Route(method, pattern, access: access, handler: handler)
    }
}

/// A node in the tree of route patterns.
final class RouteNode: Sendable {
    private let literals: [String: RouteNode]
    private let parameter: (name: String, node: RouteNode)?
    private let routes: [Method: Route]
    /// A subtree route that starts here, for every method.
    private let subtree: Route?
    /// The value of the `Allow` header.
    let allowedMethods: String

    typealias Entry = (rest: ArraySlice<Substring>, route: Route)

    /// `entries` have been validated by the router.
    init(_ entries: [Entry]) {
        var routes: [Method: Route] = [:]
        var subtree: Route?
        var entriesByLiteral: [String: [Entry]] = [:]
        var parameterEntries: [Entry] = []
        var parameterName: String?
        for (rest, route) in entries {
            guard let segment = rest.first else {
                if route.isSubtree { subtree = route } else { routes[route.method] = route }
                continue
            }
            if segment.hasPrefix("{") {
                parameterName = String(segment.dropFirst().dropLast())
                parameterEntries.append((rest.dropFirst(), route))
            } else {
                entriesByLiteral[String(segment), default: []].append((rest.dropFirst(), route))
            }
        }
        literals = entriesByLiteral.mapValues(RouteNode.init)
        parameter = parameterName.map { ($0, RouteNode(parameterEntries)) }
        let allowed = Self.allowedMethods(routes)
        if !routes.isEmpty, routes[.options] == nil {
            let isOpen = routes.values.allSatisfy { $0.access == .open }
            routes[.options] = Route(
                .options, entries[0].route.pattern, access: isOpen ? .open : .key
            ) { _ in Response(status: 204, headers: ["Allow": allowed]) }
        }
        if routes[.head] == nil { routes[.head] = routes[.get] }
        self.routes = routes
        self.subtree = subtree
        self.allowedMethods = allowed
    }

    private static func allowedMethods(_ routes: [Method: Route]) -> String {
        var methods = Set(routes.keys)
        methods.insert(.options)
        if routes[.get] != nil { methods.insert(.head) }
        return methods.map(\.rawValue).sorted().joined(separator: ", ")
    }

    func route(for method: Method) -> Route? { routes[method] ?? subtree }

    /// The node at the end of `remaining`. A literal segment takes precedence over a parameter; if
    /// it does not match, the parameter is tried.
    func find(_ remaining: ArraySlice<String>, _ parameters: inout [String: String]) -> RouteNode? {
        guard let segment = remaining.first else {
            return routes.isEmpty && subtree == nil ? nil : self
        }
        if let found = literals[segment]?.find(remaining.dropFirst(), &parameters) { return found }
        guard let branch = parameter,
            let found = branch.node.find(remaining.dropFirst(), &parameters)
        else { return nil }
        parameters[branch.name] = segment
        return found
    }
}
