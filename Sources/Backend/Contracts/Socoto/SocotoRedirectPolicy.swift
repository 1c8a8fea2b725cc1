import Web

/// Where a link may lead: to this machine, to an app's own scheme, and to the
/// contract's own page, never to another host.
struct SocotoRedirectPolicy: Sendable {
    /// The page links lead to when nobody asked for another.
    let siteURL: String

    /// The place a request asks for by query or header, or comes from, if a
    /// link may lead there; else the site.
    func redirectURL(_ context: RequestContext) -> String {
        let headers = context.request.headers
        let wishes = [
            context.target.queryValue("redirect_to"), headers["redirect_to"], headers["Referer"],
        ]
        return wishes.compactMap { $0 }.first(where: allows) ?? siteURL
    }

    func allows(_ url: String) -> Bool {
        if url == siteURL { return true }
        // What browsers would read otherwise than we do leads nowhere.
        guard url.utf8.count <= 2_048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !url.contains("\\")
        else { return false }
        let address = URLParts(url)
        switch address.scheme {
        case nil: return false
        case "http", "https":
            return address.userInfo == nil && address.isLoopback && address.port != nil
        case let scheme?: return !Self.blockedSchemes.contains(scheme)
        }
    }

    /// `url` with `items` behind its `?`.
    static func urlWithQuery(_ url: String, _ items: [(String, String)]) -> String {
        let bare = url.prefix { $0 != "#" }
        return bare + (bare.contains("?") ? "&" : "?") + Self.encode(items)
    }

    /// `url` with `items` behind its `#`, which servers never see.
    static func urlWithFragment(_ url: String, _ items: [(String, String)]) -> String {
        url.prefix { $0 != "#" } + "#" + encode(items)
    }

    /// As the real server writes them: sorted, with `+` for a space.
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
