import Support
import Web

/// A client of the console that sends its key, over one persistent connection.
final class TestBrowser: Sendable {
    let port: UInt16
    let key: String
    private let client: RawClient

    init(port: UInt16, key: String) throws {
        self.port = port
        self.key = key
        client = try RawClient(port: port, patience: 60)
    }

    /// The prefix of every password in the journeys, so that one search after the run finds any
    /// that was stored.
    static let passwordPrefix = "Zq7xGeheim"

    /// `form` is sent as a form, `json` as JSON.
    func send(
        _ method: String, _ path: String, device: String? = nil, form: [(String, String)]? = nil,
        json: JSON? = nil, headers: [String] = []
    ) async throws -> RawResponse {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        head += "Authorization: Bearer \(key)\r\n"
        if let device { head += "X-Foyer-Device: \(device)\r\n" }
        for line in headers { head += line + "\r\n" }
        var body = ""
        if let form {
            body = form.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
            head += "Content-Type: application/x-www-form-urlencoded\r\n"
        } else if let json {
            body = json.description
            head += "Content-Type: application/json\r\n"
        }
        if method != "GET" { head += "Content-Length: \(body.utf8.count)\r\n" }
        await client.send(head + "\r\n" + body)
        return try await client.answer()
    }

    /// Sends a request; returns the JSON of its 2xx response.
    func json(_ method: String, _ path: String, device: String? = nil, json: JSON? = nil)
        async throws -> JSON
    {
        let response = try await send(method, path, device: device, json: json)
        guard response.status < 300 else { throw UnexpectedStatus(response: response) }
        return try JSON(parsing: response.text)
    }

    struct UnexpectedStatus: Error { let response: RawResponse }

    /// Creates a device; returns its id.
    func makeDevice() async throws -> String {
        try await json("POST", "/api/devices")["id"]?.string ?? ""
    }

    /// Launches Mystica on a device and submits its registration form.
    func register(_ email: String, device: String) async throws -> RawResponse {
        _ = try await send("POST", "/apps/mystica/splash/launch", device: device, form: [])
        return try await send(
            "POST", "/apps/mystica/register/submit", device: device,
            form: [("email", email), ("password", Self.passwordPrefix + "-journey")])
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x2D
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain
                ? String(decoding: [byte], as: UTF8.self)
                : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
