/// Distinguishes requests of the console's own pages from those of other pages.
///
/// Cookies are not scoped by port, so a page of any server on this machine sends the console's
/// cookies. The `Sec-Fetch-*` headers (W3C Fetch Metadata) identify the origin.
enum FetchMetadataPolicy {
    static func checkSameOrigin(_ request: Request, hosts: Set<String>) throws(Problem) {
        switch request.headers["Sec-Fetch-Site"] {
        case "same-origin": return
        case "none" where request.method.isSafe:
            // A typed URL, a bookmark, or a link clicked in a terminal.
            return
        case "same-site" where isNavigation(request), "cross-site" where isNavigation(request):
            // A link on another site, for example in a captured mail.
            return
        case "same-site" where isNavigation(request, in: "iframe"):
            // A page in a phone's frame that returns to the app. Of other frames, `frame-ancestors`
            // keeps the response from being shown.
            return
        case nil where isOwnOrigin(request.headers["Origin"], hosts): return
        case nil where request.method.isSafe && lacksOriginHeaders(request): return
        default:
            throw Problem(
                status: 403, code: "cross-site", title: "Cross-site request blocked",
                detail: "The request comes from another site or does not state its origin. Scripts "
                    + "send Authorization: Bearer <key>; with --key none, any value works.")
        }
    }

    /// Check for proxied requests: rejects those of pages of another origin, and those whose
    /// response a page could run or display.
    ///
    /// Every current browser sends these headers to loopback. An older one still sends `Origin`
    /// with what it posts.
    static func checkProxied(_ request: Request, hosts: Set<String>) throws(Problem) {
        let site = request.headers["Sec-Fetch-Site"]
        let destination = request.headers["Sec-Fetch-Dest"]
        guard [nil, "none", "same-origin"].contains(site),
            [nil, "empty", "document"].contains(destination),
            request.headers["Origin"].map({ isOwnOrigin($0, hosts) }) ?? true
        else { throw .proxyFromWebPage }
    }

    /// A user following a link, in a top-level window (`document`) or a frame.
    private static func isNavigation(_ request: Request, in destination: String = "document")
        -> Bool
    {
        request.method == .get && request.headers["Sec-Fetch-Mode"] == "navigate"
            && request.headers["Sec-Fetch-Dest"] == destination
            && request.headers["Sec-Fetch-User"] == "?1"
    }

    /// A request without `Origin` and `Sec-Fetch-*`: not from a browser, or from a browser that
    /// uses a name other than loopback's (browsers send `Sec-Fetch-*` only to trustworthy
    /// addresses). It still needs the cookie, and can only read.
    private static func lacksOriginHeaders(_ request: Request) -> Bool {
        request.headers["Origin"] == nil && request.headers["Sec-Fetch-Mode"] == nil
    }

    private static func isOwnOrigin(_ origin: String?, _ hosts: Set<String>) -> Bool {
        guard let origin = origin?.lowercased(), origin.hasPrefix("http://") else { return false }
        return hosts.contains(String(origin.dropFirst("http://".count)))
    }
}
