import Web

/// A response as a client receives it.
struct Reply {
    let status: Int
    /// All but `X-Request-Id`, which differs between equal responses.
    let headers: Headers
    let requestID: String?
    let text: String

    init(_ response: Response) {
        status = response.status
        requestID = response.headers["X-Request-Id"]
        headers = Headers(response.headers.fields.filter { $0.name != "X-Request-Id" })
        if case .bytes(let bytes) = response.body {
            text = String(decoding: bytes, as: UTF8.self)
        } else {
            text = ""
        }
    }

    /// Null if the body is not JSON.
    var json: JSON { (try? JSON(parsing: text)) ?? .null }

    /// `/error/code` of Mystica's dialect.
    var code: String? { json["error"]?["code"]?.string }

    /// Of Mystica's server, or of a body with the token at its root.
    var accessToken: String { (json["session"] ?? json)["access_token"]?.string ?? "" }

    var refreshToken: String { (json["session"] ?? json)["refresh_token"]?.string ?? "" }

    /// The page's heading.
    var heading: String? {
        text.split(separator: "<h1>").last?.split(separator: "</h1>").first.map(String.init)
    }
}
