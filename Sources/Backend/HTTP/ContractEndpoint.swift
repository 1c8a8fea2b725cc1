package import Web

/// An endpoint of the server that a contract reproduces, and how much of it the contract has.
package struct ContractEndpoint: Sendable, Equatable {
    package let method: Method
    /// Below the contract's base address: `/auth/v1/token`.
    package let path: String
    package let state: State
    /// What differs or why it is missing; empty for a complete one.
    package let note: String

    /// In the order of the pages.
    package enum State: String, Sendable, CaseIterable {
        case complete, partial, missing
    }

    package init(
        _ method: Method, _ path: String, _ state: State = .complete, note: String = ""
    ) {
        self.method = method
        self.path = path
        self.state = state
        self.note = note
    }
}

/// How a client is pointed at the embedded backend.
package struct ClientSnippet: Sendable, Equatable {
    /// The client as its registry names it: `supabase (Python)`.
    package let client: String
    package let code: String

    package init(_ client: String, _ code: String) {
        self.client = client
        self.code = code
    }
}

extension Contract {
    /// All routes as complete, unless `endpointNotes` states otherwise, and what is missing; by
    /// path.
    static func endpoints(of routes: [Route]) -> [ContractEndpoint] {
        let prefix = "/{workspace}/\(id)"
        var endpoints = endpointNotes
        for route in routes {
            let path = String(route.pattern.dropFirst(prefix.count))
            guard !endpoints.contains(where: { $0.method == route.method && $0.path == path })
            else { continue }
            endpoints.append(ContractEndpoint(route.method, path))
        }
        return endpoints.sorted {
            ($0.path, $0.method.rawValue) < ($1.path, $1.method.rawValue)
        }
    }
}
