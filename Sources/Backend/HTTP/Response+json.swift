package import Web

extension Response {
    package static func json(_ json: JSON, status: Int = 200, headers: Headers = [:]) -> Response {
        var response = jsonBytes(json.bytes, status: status)
        response.headers.fields += headers.fields
        return response
    }

    /// `text` is already JSON.
    package static func json(text: String) -> Response { jsonBytes(Array(text.utf8), status: 200) }

    private static func jsonBytes(_ bytes: [UInt8], status: Int) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json; charset=utf-8"],
            body: .bytes(bytes))
    }
}
