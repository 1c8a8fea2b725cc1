import Web

/// What a browser's page of another origin needs, as Google and its emulator
/// give it: its origin and the headers it asks for are said back to it.
///
/// No cookie means anything here, so any origin may ask.
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
        if let asked = request.headers["Access-Control-Request-Headers"], isPrintableASCII(asked) {
            headers.add("Access-Control-Allow-Headers", asked)
            headers.add("Vary", "Access-Control-Request-Headers")
        }
        return Response(status: 204, headers: headers)
    }

    /// Visible ASCII and spaces: what can stand in a header field.
    private static func isPrintableASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
