/// A node in the tree of route patterns.
final class RouteNode: Sendable {
    private let literals: [String: RouteNode]
    private let parameter: (name: String, node: RouteNode)?
    private let routes: [Method: Route]
    /// A subtree route that starts here, for every method.
    private let subtree: Route?
    /// The value of the `Allow` header.
    let allowedMethods: String

    /// `entries` have been validated by the router.
    init(_ entries: [(rest: ArraySlice<Substring>, route: Route)]) {
        var routes: [Method: Route] = [:]
        var subtree: Route?
        var entriesByLiteral: [String: [(ArraySlice<Substring>, Route)]] = [:]
        var parameterEntries: [(ArraySlice<Substring>, Route)] = []
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
        literals = entriesByLiteral.mapValues { entries in
            RouteNode(entries.map { (rest: $0.0, route: $0.1) })
        }
        parameter = parameterName.map { name in
            (name, RouteNode(parameterEntries.map { (rest: $0.0, route: $0.1) }))
        }
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
