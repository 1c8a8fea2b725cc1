import Templates
import Web

/// `/search`: finds everything of the workspace; and the list of keyboard shortcuts.
struct SearchPages: Sendable {
    let services: Services

    var routes: [Route] {
        [Route(.get, Links.search, handler: show), .page(Links.shortcuts, handler: showShortcuts)]
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["q", "part"])
        let text = query["q"]?.whitespaceCollapsed ?? ""
        let groups =
            try await Search(services: services, workspace: try services.workspace(of: context))
            .groups(matching: text)
        let count = groups.reduce(0) { $0 + $1.results.count }
        let page = Page(
            title: "Search", navItem: "search", url: Links.url(Links.search, [("q", text)]),
            model: [
                "query": text, "groups": groups.map(\.model),
                "countText": text.isEmpty ? "" : Format.count(count, "result"),
                "hasNoResults": !text.isEmpty && count == 0,
            ])
        return try await services.respond(
            to: context, page, "search/search", parts: ["results": "search/results"])
    }

    /// A dialog over any page.
    @Sendable private func showShortcuts(_ context: RequestContext) async throws -> Response {
        let page = Page(
            title: "Keyboard shortcuts", navItem: "", url: Links.shortcuts,
            model: ["backURL": Links.home])
        return try await services.respond(
            to: context, page, "search/shortcutspage", parts: ["dialog": "search/shortcuts"])
    }
}

extension Search.Group {
    fileprivate var model: TemplateModel {
        [
            "groupID": kind.rawValue, "groupName": kind.title, "moreURL": moreURL,
            "results": results.map { result -> TemplateModel in
                [
                    "title": result.title, "details": result.details, "href": result.url,
                    "icon": kind.icon,
                ]
            },
        ]
    }
}

extension Search.Kind {
    /// The heading of its results.
    var title: String {
        switch self {
        case .page: "Pages"
        case .screen: "Screens"
        case .user: "Users"
        case .account: "Accounts"
        case .session: "Sessions"
        case .device: "Devices"
        case .request: "Requests"
        case .mail: "Mail"
        }
    }

    fileprivate var icon: String {
        switch self {
        case .page: "arrow"
        case .screen: "board"
        case .user, .account: "user"
        case .session: "key"
        case .device: "phone"
        case .request: "swap"
        case .mail: "mail"
        }
    }
}
