import Web

extension Response {
    /// JSON with the given status.
    static func json(_ json: JSON, status: Int = 200) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"], body: .bytes(json.bytes))
    }

    /// 204, without a body.
    static let noContent = Response(status: 204)

    /// 303: the browser GETs `location` next (RFC 9110, 15.4.4).
    static func redirect(to location: String, setting cookie: String? = nil) -> Response {
        var response = Response(status: 303, headers: ["Location": location])
        if let cookie { response.headers.add("Set-Cookie", cookie) }
        return response
    }

    /// A rendered page.
    static func html(_ bytes: [UInt8], status: Int = 200, setting cookie: String? = nil) -> Response
    {
        var response = Response(
            status: status, headers: ["Content-Type": "text/html; charset=utf-8"],
            body: .bytes(bytes))
        if let cookie { response.headers.add("Set-Cookie", cookie) }
        return response
    }
}
