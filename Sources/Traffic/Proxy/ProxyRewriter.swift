import Web

/// Rewrites a proxied request and its response: forwards everything end-to-end, and drops what
/// concerns only a connection to Foyer.
struct ProxyRewriter {
    let proxyRequest: ProxyRequest
    /// The base URL that the path is appended to, without a trailing slash.
    let base: String

    init(_ proxyRequest: ProxyRequest, to base: String) {
        self.proxyRequest = proxyRequest
        self.base = base.withoutTrailingSlashes
    }

    /// Limits the time to the response header; streaming the body may take longer.
    private static let responseTimeout = Duration.seconds(60)
    private static let uploadTimeout = Duration.seconds(600)

    var request: OutboundRequest {
        let request = proxyRequest.request
        var headers = Headers()
        headers.fields.reserveCapacity(request.headers.fields.count)
        for field in request.headers.withoutHopByHopFields().fields {
            switch field {
            case _ where field.isNamed("host") || field.isNamed("expect"): continue
            case _ where field.isNamed("cookie"):
                if let value = Self.withoutFoyerCookies(field.value) {
                    headers.add(field.name, value)
                }
            // A compressed response could not be analyzed, nor its secrets redacted. Without this
            // header it is sent uncompressed.
            case _ where field.isNamed("accept-encoding"): continue
            case _ where Self.isFoyerField(field): continue
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

    /// Removes the console's own cookies, one of which holds the access key; nil if no others
    /// remain.
    private static func withoutFoyerCookies(_ cookies: String) -> String? {
        let others = cookies.split(separator: ";").filter { !isFoyerCookie(String($0)) }
        guard !others.isEmpty else { return nil }
        return String(others.joined(separator: ";").drop { $0 == " " })
    }

    /// The rewritten response, without a body.
    func response(_ response: UpstreamResponse, exchange: String) -> Response {
        var headers = Headers()
        headers.fields.reserveCapacity(response.headers.fields.count + 3)
        for var field in response.headers.withoutHopByHopFields().fields {
            switch field {
            case _ where field.isNamed("location") || field.isNamed("content-location"):
                field.value = rewriteLocation(field.value)
            // Would clear the data of every page on Foyer's origin.
            case _ where field.isNamed("clear-site-data"): continue
            case _ where field.isNamed("set-cookie") && Self.isFoyerCookie(field.value): continue
            // Marks a response made by a fault or a rule.
            case _ where field.isNamed("x-foyer-fault") || field.isNamed("x-foyer-rule"): break
            case _ where Self.isFoyerField(field): continue
            default: break
            }
            headers.fields.append(field)
        }
        headers.add("X-Foyer-Exchange", exchange)
        if looksLikeBrowser {
            // Keeps the browser from treating it as a page of the console.
            headers.add("Content-Security-Policy", "sandbox")
            headers.add("X-Content-Type-Options", "nosniff")
        }
        var response = Response(status: response.status, headers: headers)
        response.isProxied = true
        return response
    }

    private static func isFoyerField(_ field: Headers.Field) -> Bool {
        field.name.utf8.count >= foyerPrefix.utf8.count
            && Headers.areEqual(String(field.name.prefix(foyerPrefix.utf8.count)), foyerPrefix)
    }

    private static let foyerPrefix = "x-foyer-"

    /// Whether a browser would send it back as one of the console's cookies: by its name, or by a
    /// nameless value that looks like one.
    private static func isFoyerCookie(_ cookie: String) -> Bool {
        cookie.drop { $0 == " " || $0 == "\t" || $0 == "=" }.lowercased().hasPrefix("foyer_")
    }

    /// The reason why a response cannot be forwarded; nil if it can.
    func rejectionReason(for response: Response) -> TransportFailure? {
        let size = response.headers.size
        guard size > Response.headerLimit else { return nil }
        return TransportFailure(
            .invalidResponse,
            "\(URLParts(base).origin) sent \(size) bytes of header fields; the limit is "
                + "\(Response.headerLimit).")
    }

    private var looksLikeBrowser: Bool {
        let headers = proxyRequest.request.headers
        return headers["Sec-Fetch-Site"] != nil || headers["Origin"] != nil
            || headers["User-Agent"]?.hasPrefix("Mozilla/") == true
    }

    /// Maps a URL below the backend's base to the proxy. Other URLs are unchanged, except that a
    /// path on the backend's host becomes absolute.
    func rewriteLocation(_ location: String) -> String {
        if let suffix = URLParts(location).suffix(below: base) {
            return proxyRequest.clientBaseURL + suffix
        }
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return location }
        let base = URLParts(base)
        if let suffix = URLParts(location).suffix(below: base.path) {
            return "\(URLParts(proxyRequest.clientBaseURL).path)\(suffix)"
        }
        return base.origin + location
    }
}
