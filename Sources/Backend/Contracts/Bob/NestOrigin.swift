import Web

/// The one origin whose pages the NestJS server lets read its answers.
enum NestOrigin {
    private static let origin = "http://localhost:3001"

    static func allowed(_ response: Response) -> Response {
        var response = response
        response.headers.add("Access-Control-Allow-Origin", origin)
        response.headers.add("Vary", "Origin")
        return response
    }

    /// What a browser is told before it sends (Fetch, CORS preflight).
    static func preflight(_ request: Request) -> Response {
        var response = allowed(Response(status: 204))
        response.headers.add(
            "Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
        if let wanted = request.headers["Access-Control-Request-Headers"] {
            response.headers["Vary"] = "Origin, Access-Control-Request-Headers"
            response.headers.add("Access-Control-Allow-Headers", wanted)
        }
        return response
    }
}
