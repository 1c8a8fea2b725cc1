import Backend
import FoundationEssentials
import Web

/// A failure of the auth server in either of its two dialects.
///
/// A request whose `X-Supabase-Api-Version` is 2024-01-01 or later gets `{"code","message"}`, any
/// other `{"code":400,"error_code","msg"}`.
struct SocotoAuthFailure: ExpectedError, Sendable, Equatable {
    let status: Int
    let code: String
    let message: String
    /// Members after the usual ones, such as `weak_password`.
    var details: [JSON.Member] = []
    var headers = Headers()

    init(_ status: Int, _ code: String, _ message: String, details: [JSON.Member] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
    }

    /// A 400 with the code of most invalid fields.
    static func invalid(_ message: String) -> SocotoAuthFailure {
        SocotoAuthFailure(400, "validation_failed", message)
    }

    func response(to request: Request) -> Response {
        let isNew = SocotoAPIVersion.isNew(request)
        var members: [JSON.Member] =
            isNew
            ? [.init("code", .string(code)), .init("message", .string(message))]
            : [
                .init("code", .int(Int64(status))), .init("error_code", .string(code)),
                .init("msg", .string(message)),
            ]
        members += details
        var response = Response.authJSON(.object(members), status: status)
        response.headers["x-sb-error-code"] = code
        if isNew {
            // Clients ignore the code without this header.
            response.headers[SocotoAPIVersion.headerName] = SocotoAPIVersion.newest
        }
        response.headers.fields += headers.fields
        return response
    }
}

extension Response {
    /// JSON as the auth server sends it: without a charset.
    static func authJSON(_ json: JSON, status: Int = 200) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"], body: .bytes(json.bytes))
    }
}

/// The date header by which a client selects the response dialect.
enum SocotoAPIVersion {
    static let headerName = "X-Supabase-Api-Version"
    /// Later dates get the responses of this version.
    static let newest = "2024-01-01"

    /// Whether the request selects the new dialect. Absent, older and invalid dates select the old
    /// one.
    static func isNew(_ request: Request) -> Bool {
        guard let text = request.headers[headerName], text.utf8.count == newest.utf8.count,
            (try? Date(text + "T00:00:00Z", strategy: .iso8601)) != nil
        else { return false }
        return text >= newest
    }
}
