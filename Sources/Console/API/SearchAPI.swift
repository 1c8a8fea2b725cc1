import Web

/// `/api/search`: the same as the search page.
enum SearchAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/search", "search",
            "Finds pages, screens, users, accounts, sessions, devices, requests and mail.",
            reading: { $0.query.string("q", "Words; each must match.") },
            returning: .ok(found, "The first matches of each kind.")
        ) { call, text in
            try await Search(services: call.services, workspace: try call.workspace).groups(
                matching: (text ?? "").whitespaceCollapsed)
        }
    ]

    private static let found = Representation<[Search.Group]>(
        "SearchResults",
        [
            .init("items", array: result) { groups in
                groups.flatMap { group in group.results.map { (group.kind, $0) } }
            }
        ])

    private static let result = Representation<(kind: Search.Kind, result: Search.Result)>(
        "SearchResult",
        [
            .init("kind", choice: { $0.kind }), .init("title") { $0.result.title },
            .init("details") { $0.result.details }, .init("url") { $0.result.url },
        ])
}
