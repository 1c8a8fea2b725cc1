import Web

/// A request and its answer as they are handed on: all that is the two
/// parties' own business, and nothing that is about a connection of ours.
struct Forwarding {
    let passage: Passage
    /// Where the path goes on below, without a slash at the end.
    let base: String

    init(_ passage: Passage, to base: String) {
        self.passage = passage
        var base = base
        while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
        self.base = base
    }

    /// For the answer's head; what then streams may take its time.
    private static let patience = Duration.seconds(60)
    private static let patienceWithUpload = Duration.seconds(600)

    var request: OutboundRequest {
        let request = passage.request
        var headers = Headers()
        for field in request.headers.withoutHops().fields {
            switch field.name.lowercased() {
            case "host", "expect": continue
            case "cookie":
                if let value = Self.foreign(field.value) { headers.add(field.name, value) }
            // An answer nobody can read cannot be followed, nor can its
            // secrets be sealed: without a wish it comes as it is.
            case "accept-encoding": continue
            case let name where name.hasPrefix("x-foyer-"): continue
            default: headers.fields.append(field)
            }
        }
        var outbound = OutboundRequest(
            method: request.method, url: base + passage.rest, headers: headers, body: request.body,
            timeout: request.upload == nil ? Self.patience : Self.patienceWithUpload)
        outbound.isVerbatim = true
        return outbound
    }

    /// The console's own cookies, among them its key, are nobody's business;
    /// nil if there are no others.
    private static func foreign(_ cookies: String) -> String? {
        let others = cookies.split(separator: ";").filter { !isOurs(cookie: String($0)) }
        guard !others.isEmpty else { return nil }
        return String(others.joined(separator: ";").drop { $0 == " " })
    }

    /// The answer, its body to be added.
    func response(_ answer: Answer, exchange: String) -> Response {
        var headers = Headers()
        for var field in answer.headers.withoutHops().fields {
            switch field.name.lowercased() {
            case "location", "content-location": field.value = local(field.value)
            // It would be about everything at our address.
            case "clear-site-data": continue
            case "set-cookie" where Self.isOurs(cookie: field.value): continue
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
        var response = Response(status: answer.status, headers: headers)
        response.isRelayed = true
        return response
    }

    /// Whether a browser would send it back as one of the console's: so it
    /// does with a name, and with a value that has none and looks like one.
    private static func isOurs(cookie: String) -> Bool {
        cookie.drop { $0 == " " || $0 == "\t" || $0 == "=" }.lowercased().hasPrefix("foyer_")
    }

    /// Why an answer cannot be handed on; nil if it can.
    func objection(to response: Response) -> TransportFailure? {
        let size = response.headers.size
        guard size > Response.headerLimit else { return nil }
        return TransportFailure(
            kind: .invalidAnswer,
            detail: "\(Address(base).origin) answers with \(size) bytes of "
                + "header fields, and \(Response.headerLimit) can be handed on.")
    }

    private var looksLikeBrowser: Bool {
        let headers = passage.request.headers
        return headers["Sec-Fetch-Site"] != nil || headers["Origin"] != nil
            || headers["User-Agent"]?.hasPrefix("Mozilla/") == true
    }

    /// An address below the base as the client reaches it here; one elsewhere
    /// stays, and a path that means the backend's own host says so.
    func local(_ location: String) -> String {
        if let rest = Address(location).rest(below: base) { return passage.root + rest }
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return location }
        let base = Address(base)
        if let rest = Address(location).rest(below: base.path) {
            return "\(Address(passage.root).path)\(rest)"
        }
        return base.origin + location
    }
}
