import Web

/// A failure as Google's services say it:
/// `{"error":{"code","message","errors":[…],"status"?}}`.
struct ClarityGoogleFailure: ExpectedError, Sendable, Equatable {
    /// The HTTP status, repeated in the body.
    let code: Int
    /// A word that clients know, and after ` : ` what it means.
    let message: String
    let reason: String
    /// Google's name of the status, for those outside of the method itself.
    let status: String?
    /// The message inside of `errors`, where it is another.
    var nestedMessage: String?
    /// The header at fault.
    var location: String?
    var headers = Headers()

    init(_ code: Int, _ message: String, reason: String, status: String?) {
        self.code = code
        self.message = message
        self.reason = reason
        self.status = status
    }

    /// What a method itself refuses; `detail` is for the developer.
    init(_ word: String, _ detail: String? = nil) {
        self.init(400, detail.map { "\(word) : \($0)" } ?? word, reason: "invalid", status: nil)
    }

    var response: Response {
        var one: [JSON.Member] = [
            .init("message", .string(nestedMessage ?? message)), .init("reason", .string(reason)),
            .init("domain", "global"),
        ]
        if let location {
            one.append(.init("location", .string(location)))
            one.append(.init("locationType", "header"))
        }
        var error: [JSON.Member] = [
            .init("code", .int(Int64(code))), .init("message", .string(message)),
            .init("errors", .array([.object(one)])),
        ]
        if let status { error.append(.init("status", .string(status))) }
        var response = Response.json(["error": .object(error)], status: code)
        response.headers.fields += headers.fields
        return response
    }
}
