import Web

/// The one origin whose pages the NestJS server lets read its answers.
enum NestCORS {
    private static let allowedOrigin = "http://localhost:3001"

    /// `response` as such a page may read it; a preflight has an answer of
    /// its own wherever it goes (Fetch, CORS protocol).
    static func finalize(_ response: Response, for request: Request) -> Response {
        let isPreflight = request.method == .options
        var response = isPreflight ? Response(status: 204) : response
        response.headers.add("Access-Control-Allow-Origin", allowedOrigin)
        guard isPreflight else {
            response.headers.add("Vary", "Origin")
            return response
        }
        let wanted = request.headers["Access-Control-Request-Headers"]
        response.headers.add(
            "Vary", wanted == nil ? "Origin" : "Origin, Access-Control-Request-Headers")
        response.headers.add("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
        if let wanted { response.headers.add("Access-Control-Allow-Headers", wanted) }
        return response
    }
}
