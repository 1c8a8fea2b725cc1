import Backend
import Web

/// A failure response of the REST server. It always has the same four members, nulls included.
struct SocotoRestFailure: ExpectedError, Sendable, Equatable {
    let status: Int
    let code: String
    let message: String
    var details: String?
    var hint: String?
    /// Set for missing or invalid authentication.
    var wwwAuthenticate: String?

    init(
        _ status: Int, _ code: String, _ message: String, details: String? = nil,
        hint: String? = nil, wwwAuthenticate: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
        self.wwwAuthenticate = wwwAuthenticate
    }

    var response: Response {
        var response = Response.json(
            [
                "code": .string(code), "details": JSON(details), "hint": JSON(hint),
                "message": .string(message),
            ], status: status)
        response.headers["Proxy-Status"] = "PostgREST; error=\(code)"
        response.headers["WWW-Authenticate"] = wwwAuthenticate
        return response
    }

    // MARK: The request

    static let invalidPath = SocotoRestFailure(
        404, "PGRST125", "Invalid path specified in request URL")

    static func unsupportedMethod(_ method: Method) -> SocotoRestFailure {
        SocotoRestFailure(405, "PGRST117", "Unsupported HTTP method: \(method.rawValue.prefix(20))")
    }

    static func tableNotFound(_ name: String) -> SocotoRestFailure {
        SocotoRestFailure(
            404, "PGRST205",
            "Could not find the table 'public.\(name.prefix(60))' in the schema cache")
    }

    static func invalidSchema(_ name: String) -> SocotoRestFailure {
        SocotoRestFailure(
            406, "PGRST106", "Invalid schema: \(name.prefix(60))",
            hint: "Only the following schemas are exposed: public")
    }

    static func parseError(_ text: String, _ element: String) -> SocotoRestFailure {
        SocotoRestFailure(
            400, "PGRST100",
            "\"failed to parse \(element) (\(text.prefix(60)))\" (line 1, column 1)",
            details: "unexpected input")
    }

    static let invalidBody = SocotoRestFailure(400, "PGRST102", "Empty or invalid json")

    static func notSingleRow(_ count: Int) -> SocotoRestFailure {
        SocotoRestFailure(
            406, "PGRST116", "Cannot coerce the result to a single JSON object",
            details: "The result contains \(count) rows")
    }

    static func offsetOutOfRange(_ offset: Int, of total: Int) -> SocotoRestFailure {
        SocotoRestFailure(
            416, "PGRST103", "Requested range not satisfiable",
            details: "An offset of \(offset) was requested, but there are only \(total) rows.")
    }

    // MARK: Authentication

    static func malformedToken(parts: Int) -> SocotoRestFailure {
        unauthorized("PGRST301", "Expected 3 parts in JWT; got \(parts)")
    }

    static let unknownSigningKey = unauthorized("PGRST301", "No suitable key or wrong key type")
    static let tokenExpired = unauthorized("PGRST303", "JWT expired")

    private static func unauthorized(_ code: String, _ message: String) -> SocotoRestFailure {
        SocotoRestFailure(
            401, code, message,
            wwwAuthenticate: "Bearer error=\"invalid_token\", error_description=\"\(message)\"")
    }
}
