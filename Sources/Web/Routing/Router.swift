/// Finds the route of a request.
///
/// The routes are validated when it is built: two for the same method and
/// address are a broken promise, not a request's mistake.
package struct Router: Sendable {
    package let routes: [Route]
    private let root: Node

    /// A place in the tree of patterns.
    private final class Node: Sendable {
        let literal: [String: Node]
        let place: (name: String, node: Node)?
        let routes: [Method: Route]

        init(_ entries: [(rest: ArraySlice<Substring>, route: Route)]) {
            var routes: [Method: Route] = [:]
            var byLiteral: [String: [(ArraySlice<Substring>, Route)]] = [:]
            var places: [(ArraySlice<Substring>, Route)] = []
            var placeName: String?
            for (rest, route) in entries {
                guard let segment = rest.first else {
                    precondition(
                        routes[route.method] == nil,
                        "\(route.method.rawValue) \(route.pattern) twice")
                    routes[route.method] = route
                    continue
                }
                guard segment.hasPrefix("{") else {
                    byLiteral[String(segment), default: []].append(
                        (rest.dropFirst(), route))
                    continue
                }
                let name = String(segment.dropFirst().dropLast())
                precondition(
                    placeName == nil || placeName == name,
                    "\(route.pattern) names a place otherwise than others")
                placeName = name
                places.append((rest.dropFirst(), route))
            }
            self.routes = routes
            literal = byLiteral.mapValues { Node($0.map { ($0.0, $0.1) }) }
            place = placeName.map {
                ($0, Node(places.map { ($0.0, $0.1) }))
            }
        }
    }

    package init(_ routes: [Route]) {
        self.routes = routes
        root = Node(
            routes.map { route in
                (route.pattern.split(separator: "/")[...], route)
            })
    }

    /// The route of `target` and what stands in its places.
    ///
    /// Throws a 404, or a 405 that names the methods there are. HEAD is
    /// answered by GET's route.
    package func find(
        _ method: Method, _ target: Target
    ) throws(Problem) -> (route: Route, parameters: [String: String]) {
        var parameters: [String: String] = [:]
        guard let node = walk(root, target.segments[...], &parameters) else {
            throw Problem(
                status: 404, code: "not-found",
                title: "There is nothing at this address",
                detail: "No page has the address \(target.path.prefix(200)).")
        }
        let wanted = method == .head ? .get : method
        guard let route = node.routes[wanted] else {
            var allowed = node.routes.keys.map(\.rawValue)
            if node.routes[.get] != nil { allowed.append("HEAD") }
            let list = allowed.sorted().joined(separator: ", ")
            throw Problem(
                status: 405, code: "method-not-allowed",
                title: "This address does not take that method",
                detail: "\(target.path.prefix(200)) takes \(list).",
                headers: ["Allow": list])
        }
        return (route, parameters)
    }

    /// A literal segment goes before a place; both are tried.
    private func walk(
        _ node: Node, _ rest: ArraySlice<String>,
        _ parameters: inout [String: String]
    ) -> Node? {
        guard let segment = rest.first else {
            return node.routes.isEmpty ? nil : node
        }
        if let next = node.literal[segment],
            let found = walk(next, rest.dropFirst(), &parameters)
        {
            return found
        }
        if let place = node.place,
            let found = walk(place.node, rest.dropFirst(), &parameters)
        {
            parameters[place.name] = segment
            return found
        }
        return nil
    }
}
