import Web

/// CORS for browser pages of other origins, as Google and its emulator do it: the origin and the
/// requested headers are echoed.
///
/// Any origin is allowed, because no cookie has an effect here.
enum ClarityCORS {
    static func finalize(_ response: Response, for request: Request) -> Response {
        guard let origin = request.headers["Origin"], isPrintableASCII(origin) else {
            return response
        }
        var response = isPreflight(request) ? preflightResponse(request) : response
        response.headers.add("Access-Control-Allow-Origin", origin)
        response.headers.add("Vary", "Origin")
        return response
    }

    private static func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers["Access-Control-Request-Method"] != nil
    }

    private static func preflightResponse(_ request: Request) -> Response {
        var headers: Headers = ["Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE"]
        if let requestedHeaders = request.headers["Access-Control-Request-Headers"],
            isPrintableASCII(requestedHeaders)
        {
            headers.add("Access-Control-Allow-Headers", requestedHeaders)
            headers.add("Vary", "Access-Control-Request-Headers")
        }
        return Response(status: 204, headers: headers)
    }

    /// Visible ASCII and spaces: the characters allowed in a header field.
    private static func isPrintableASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
