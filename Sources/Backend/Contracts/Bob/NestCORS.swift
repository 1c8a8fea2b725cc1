import Web

/// CORS for the one origin whose pages may read the NestJS server's responses.
enum NestCORS {
    private static let allowedOrigin = "http://localhost:3001"

    /// Adds the CORS headers to `response`. Every preflight gets a 204, whatever its path (Fetch,
    /// CORS protocol).
    static func finalize(_ response: Response, for request: Request) -> Response {
        let isPreflight = request.method == .options
        var response = isPreflight ? Response(status: 204) : response
        response.headers.add("Access-Control-Allow-Origin", allowedOrigin)
        guard isPreflight else {
            response.headers.add("Vary", "Origin")
            return response
        }
        let requestedHeaders = request.headers["Access-Control-Request-Headers"]
        response.headers.add(
            "Vary", requestedHeaders == nil ? "Origin" : "Origin, Access-Control-Request-Headers")
        response.headers.add("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
        if let requestedHeaders {
            response.headers.add("Access-Control-Allow-Headers", requestedHeaders)
        }
        return response
    }
}
