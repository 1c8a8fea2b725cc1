import Web

/// A request and its answer as they are handed on: all that is the two
/// parties' own business, and nothing that is about a connection of ours.
struct ProxyRewriter {
    let proxyRequest: ProxyRequest
    /// Where the path goes on below, without a slash at the end.
    let base: String

    init(_ passage: ProxyRequest, to base: String) {
        self.proxyRequest = passage
        var base = base
        while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
        self.base = base
    }

    /// For the answer's head; what then streams may take its time.
    private static let responseTimeout = Duration.seconds(60)
    private static let uploadTimeout = Duration.seconds(600)

    var request: OutboundRequest {
        let request = proxyRequest.request
        var headers = Headers()
        for field in request.headers.withoutHopByHopFields().fields {
            switch field.name.lowercased() {
            case "host", "expect": continue
            case "cookie":
                if let value = Self.withoutFoyerCookies(field.value) {
                    headers.add(field.name, value)
                }
            // An answer nobody can read cannot be followed, nor can its
            // secrets be sealed: without a wish it comes as it is.
            case "accept-encoding": continue
            case let name where name.hasPrefix("x-foyer-"): continue
            default: headers.fields.append(field)
            }
        }
        var outbound = OutboundRequest(
            method: request.method, url: base + proxyRequest.relativeTarget, headers: headers,
            body: request.body,
            timeout: request.bodyStream == nil ? Self.responseTimeout : Self.uploadTimeout)
        outbound.isVerbatim = true
        return outbound
    }

    /// The console's own cookies, among them its key, are nobody's business;
    /// nil if there are no others.
    private static func withoutFoyerCookies(_ cookies: String) -> String? {
        let others = cookies.split(separator: ";").filter { !isFoyerCookie(String($0)) }
        guard !others.isEmpty else { return nil }
        return String(others.joined(separator: ";").drop { $0 == " " })
    }

    /// The answer, its body to be added.
    func response(_ response: UpstreamResponse, exchange: String) -> Response {
        var headers = Headers()
        for var field in response.headers.withoutHopByHopFields().fields {
            switch field.name.lowercased() {
            case "location", "content-location": field.value = rewriteLocation(field.value)
            // It would be about everything at our address.
            case "clear-site-data": continue
            case "set-cookie" where Self.isFoyerCookie(field.value): continue
            case let name where name.hasPrefix("x-foyer-"): continue
            default: break
            }
            headers.fields.append(field)
        }
        headers.add("X-Foyer-Exchange", exchange)
        if looksLikeBrowser {
            // Whatever it is, it is not a page of ours.
            headers.add("Content-Security-Policy", "sandbox")
            headers.add("X-Content-Type-Options", "nosniff")
        }
        var response = Response(status: response.status, headers: headers)
        response.isProxied = true
        return response
    }

    /// Whether a browser would send it back as one of the console's: so it
    /// does with a name, and with a value that has none and looks like one.
    private static func isFoyerCookie(_ cookie: String) -> Bool {
        cookie.drop { $0 == " " || $0 == "\t" || $0 == "=" }.lowercased().hasPrefix("foyer_")
    }

    /// Why an answer cannot be handed on; nil if it can.
    func rejectionReason(for response: Response) -> TransportFailure? {
        let size = response.headers.size
        guard size > Response.headerLimit else { return nil }
        return TransportFailure(
            kind: .invalidResponse,
            detail: "\(URLParts(base).origin) answers with \(size) bytes of "
                + "header fields, and \(Response.headerLimit) can be handed on.")
    }

    private var looksLikeBrowser: Bool {
        let headers = proxyRequest.request.headers
        return headers["Sec-Fetch-Site"] != nil || headers["Origin"] != nil
            || headers["User-Agent"]?.hasPrefix("Mozilla/") == true
    }

    /// An address below the base as the client reaches it here; one elsewhere
    /// stays, and a path that means the backend's own host says so.
    func rewriteLocation(_ location: String) -> String {
        if let rest = URLParts(location).suffix(below: base) {
            return proxyRequest.clientBaseURL + rest
        }
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return location }
        let base = URLParts(base)
        if let rest = URLParts(location).suffix(below: base.path) {
            return "\(URLParts(proxyRequest.clientBaseURL).path)\(rest)"
        }
        return base.origin + location
    }
}
