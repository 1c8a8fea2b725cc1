import Web

/// Where a link may redirect to: this machine, an app's own scheme, or the contract's own page,
/// never another host.
struct RedirectPolicy: Sendable {
    /// The default target of links.
    let siteURL: String

    /// The URL that a request names in its query or header, or else its referrer, if a link may
    /// redirect there. Otherwise the site.
    func redirectURL(_ context: RequestContext) -> String {
        let headers = context.request.headers
        let candidates = [
            context.target.queryValue("redirect_to"), headers["redirect_to"], headers["Referer"],
        ]
        return candidates.compactMap { $0 }.first(where: allows) ?? siteURL
    }

    func allows(_ url: String) -> Bool {
        if url == siteURL { return true }
        // URLs that browsers might parse differently are refused.
        guard url.utf8.count <= 2_048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !url.contains("\\")
        else { return false }
        let parts = URLParts(url)
        switch parts.scheme {
        case nil: return false
        case "http", "https": return parts.userInfo == nil && parts.isLoopback && parts.port != nil
        case let scheme?: return !Self.blockedSchemes.contains(scheme)
        }
    }

    /// `url` with `items` added to its query.
    static func urlWithQuery(_ url: String, _ items: [(String, String)]) -> String {
        let base = url.prefix { $0 != "#" }
        return base + (base.contains("?") ? "&" : "?") + Self.encode(items)
    }

    /// `url` with `items` as its fragment, which servers never receive.
    static func urlWithFragment(_ url: String, _ items: [(String, String)]) -> String {
        url.prefix { $0 != "#" } + "#" + encode(items)
    }

    /// `url` with the items of a result in its fragment, and in its query too if `inQuery`: a PKCE
    /// client reads the query, other clients the fragment.
    static func urlWithResult(_ url: String, _ items: [(String, String)], inQuery: Bool) -> String {
        urlWithFragment(inQuery ? urlWithQuery(url, items) : url, items + [("sb", "")])
    }

    /// As the real server encodes them: sorted, with `+` for a space.
    private static func encode(_ items: [(String, String)]) -> String {
        items.sorted { $0.0 < $1.0 }.map { name, value in
            name + "=" + PercentEncoding.encode(value, spaceAsPlus: true)
        }.joined(separator: "&")
    }

    /// Schemes that make a browser run or read something.
    private static let blockedSchemes: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "about", "filesystem", "view-source",
        "ws", "wss", "ftp",
    ]
}
