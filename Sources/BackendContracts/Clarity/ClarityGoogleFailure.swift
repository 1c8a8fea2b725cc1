import Backend
import Web

/// A failure response of Google's services: `{"error":{"code","message","errors":[…],"status"?}}`.
struct ClarityGoogleFailure: ExpectedError, Sendable, Equatable {
    /// The HTTP status, repeated in the body.
    let code: Int
    /// An error code that clients know, optionally followed by ` : ` and an explanation.
    let message: String
    let reason: String
    /// Google's name of the status, for failures outside a method itself.
    let status: String?
    /// The message inside `errors`, if it differs.
    var nestedMessage: String?
    /// The header that caused the failure.
    var location: String?
    var headers = Headers()

    init(_ code: Int, _ message: String, reason: String, status: String?) {
        self.code = code
        self.message = message
        self.reason = reason
        self.status = status
    }

    /// A failure of a method itself. `detail` is for the developer.
    init(_ errorCode: String, _ detail: String? = nil) {
        self.init(
            400, detail.map { "\(errorCode) : \($0)" } ?? errorCode, reason: "invalid", status: nil)
    }

    var response: Response {
        var item: [JSON.Member] = [
            .init("message", .string(nestedMessage ?? message)), .init("reason", .string(reason)),
            .init("domain", "global"),
        ]
        if let location {
            item.append(.init("location", .string(location)))
            item.append(.init("locationType", "header"))
        }
        var error: [JSON.Member] = [
            .init("code", .int(Int64(code))), .init("message", .string(message)),
            .init("errors", .array([.object(item)])),
        ]
        if let status { error.append(.init("status", .string(status))) }
        var response = Response.json(["error": .object(error)], status: code)
        response.headers.fields += headers.fields
        return response
    }
}
