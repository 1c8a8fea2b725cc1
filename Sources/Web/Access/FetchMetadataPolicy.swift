/// Tells requests of our own pages from those of others.
///
/// Cookies do not know ports, so a page of any server on this machine sends
/// ours; what browsers say in `Sec-Fetch-*` (W3C Fetch Metadata) does.
enum FetchMetadataPolicy {
    static func checkSameOrigin(_ request: Request, hosts: Set<String>) throws(Problem) {
        switch request.headers["Sec-Fetch-Site"] {
        case "same-origin": return
        case "none" where request.method.isSafe:
            // Typed, bookmarked, or clicked in a terminal.
            return
        case "same-site" where isNavigation(request), "cross-site" where isNavigation(request):
            // A link somebody clicked elsewhere, as in a caught mail.
            return
        case nil where isOwnOrigin(request.headers["Origin"], hosts): return
        case nil where request.method.isSafe && lacksOriginHeaders(request): return
        default:
            throw Problem(
                status: 403, code: "cross-site",
                title: "Only the console's own pages may ask for this",
                detail: """
                    The request comes from another site or does not say where \
                    it comes from. Scripts send Authorization: Bearer <key>; \
                    where there is no key any word will do.
                    """)
        }
    }

    /// For what is passed through: what a page of another origin sends is
    /// refused, and what a page could run or show.
    ///
    /// Every browser of today says so in these headers to loopback. An older
    /// one still tells the origin of what it posts.
    static func checkProxied(_ request: Request, hosts: Set<String>) throws(Problem) {
        let site = request.headers["Sec-Fetch-Site"]
        let target = request.headers["Sec-Fetch-Dest"]
        guard [nil, "none", "same-origin"].contains(site),
            [nil, "empty", "document"].contains(target),
            request.headers["Origin"].map({ isOwnOrigin($0, hosts) }) ?? true
        else { throw .proxyFromWebPage }
    }

    /// A person following a link in a window of its own.
    private static func isNavigation(_ request: Request) -> Bool {
        request.method == .get && request.headers["Sec-Fetch-Mode"] == "navigate"
            && request.headers["Sec-Fetch-Dest"] == "document"
            && request.headers["Sec-Fetch-User"] == "?1"
    }

    /// No browser at work, or one that looks at us under a name that is not
    /// loopback's (browsers tell `Sec-Fetch-*` to trustworthy addresses only):
    /// none of them and no origin. It still needs the cookie, and reads only.
    private static func lacksOriginHeaders(_ request: Request) -> Bool {
        request.headers["Origin"] == nil && request.headers["Sec-Fetch-Mode"] == nil
    }

    private static func isOwnOrigin(_ origin: String?, _ hosts: Set<String>) -> Bool {
        guard let origin = origin?.lowercased(), origin.hasPrefix("http://") else { return false }
        return hosts.contains(String(origin.dropFirst("http://".count)))
    }
}
