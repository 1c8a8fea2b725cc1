import Web

/// An answer as a client reads it.
struct Reply {
    let status: Int
    let headers: Headers
    let text: String

    init(_ response: Response) {
        status = response.status
        headers = response.headers
        if case .bytes(let bytes) = response.body {
            text = String(decoding: bytes, as: UTF8.self)
        } else {
            text = ""
        }
    }

    /// Null if it is none.
    var json: JSON { (try? JSON(parsing: text)) ?? .null }

    /// `/error/code` of Mystica's dialect.
    var code: String? { json["error"]?["code"]?.string }

    var accessToken: String {
        (json["session"] ?? json)["access_token"]?.string ?? ""
    }

    var refreshToken: String {
        (json["session"] ?? json)["refresh_token"]?.string ?? ""
    }

    /// The page's heading.
    var heading: String? {
        text.split(separator: "<h1>").last?.split(separator: "</h1>").first
            .map(String.init)
    }
}
