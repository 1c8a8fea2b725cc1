/// Finds the route of a request.
///
/// The routes are validated when it is built: two for the same method and
/// address are a broken promise, not a request's mistake.
package struct Router: Sendable {
    package let routes: [Route]
    private let root: RouteNode
    /// How subtrees begin, and how many segments that are.
    private let subtrees: [(start: String, depth: Int)]

    package init(_ routes: [Route]) {
        let fault = Self.validationError(in: routes)
        precondition(fault == nil, fault ?? "")
        self.routes = routes
        root = RouteNode(
            routes.map { route in (route.basePattern.split(separator: "/")[...], route) })
        subtrees = routes.filter(\.isSubtree).map { route in
            let segments = route.basePattern.split(separator: "/")
            let literals = segments.prefix { !$0.hasPrefix("{") }
            return ("/" + literals.joined(separator: "/") + "/", segments.count)
        }
    }

    /// What is wrong with a list of routes, nil if nothing is.
    package static func validationError(in routes: [Route]) -> String? {
        var seen: Set<String> = []
        /// The name of the place after each beginning of an address.
        var places: [String: String] = [:]
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
                    return "\(line): \(segment) is no place; write {name}"
                }
                guard names.insert(name).inserted else {
                    return "\(line) has two places named \(name)"
                }
                if let other = places.updateValue(name, forKey: shape), other != name {
                    return "\(line) names a place \(name) that others name " + other
                }
                shape += "/{}"
            }
            guard seen.insert("\(route.method.rawValue) \(shape)").inserted else {
                return "\(line) is there twice"
            }
        }
        return nil
    }

    private static func isParameterName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isLetter }
    }

    /// The target of a request. Of one in a subtree only the beginning is
    /// looked at: what is below is somebody else's, and stays as it was sent.
    package func target(of sent: String) throws(Problem) -> RequestTarget {
        for subtree in subtrees where sent.hasPrefix(subtree.start) {
            var slashes = 0
            let end = sent.utf8.firstIndex { byte in
                if byte == UInt8(ascii: "?") { return true }
                if byte == UInt8(ascii: "/") { slashes += 1 }
                return slashes > subtree.depth
            }
            guard let end else { continue }
            return try RequestTarget(parsing: String(sent[..<end]), subtreeRemainder: sent[end...])
        }
        return try RequestTarget(parsing: sent)
    }

    /// The route of `target` and what stands in its places.
    ///
    /// Throws a 404, or a 405 that names the methods there are. HEAD is
    /// answered by GET's route, and OPTIONS by a list of the methods.
    package func find(_ method: Method, _ target: RequestTarget) throws(Problem) -> (
        route: Route, parameters: [String: String]
    ) {
        var parameters: [String: String] = [:]
        guard let node = root.find(target.segments[...], &parameters) else {
            throw Problem(
                status: 404, code: "not-found", title: "There is nothing at this address",
                detail: "No page has the address \(target.path.prefix(200)).")
        }
        guard let route = node.route(for: method) else {
            throw Problem(
                status: 405, code: "method-not-allowed",
                title: "This address does not take that method",
                detail: """
                    \(target.path.prefix(200)) takes \(node.allowedMethods).
                    """, headers: ["Allow": node.allowedMethods])
        }
        return (route, parameters)
    }
}
