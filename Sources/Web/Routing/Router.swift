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
                guard segment == "{\(name)}", isParameterName(name) else {
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

    private static func isParameterName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isLetter }
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
