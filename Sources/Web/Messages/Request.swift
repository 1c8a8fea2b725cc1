/// An HTTP request as the server parsed it.
package struct Request: Sendable {
    package var method: Method
    /// The request target as sent: path and query, percent-encoded.
    package var target: String
    package var headers: Headers
    /// The complete body; the server bounds its size.
    package var body: [UInt8]
    /// The body as a stream, where the server was configured not to wait for it; `body` is then
    /// empty.
    package var bodyStream: BodyStream?
    /// The peer's address, `127.0.0.1` or `::1`.
    package var peer: String

    package init(
        method: Method, target: String, headers: Headers = [:], body: [UInt8] = [],
        bodyStream: BodyStream? = nil, peer: String = "127.0.0.1"
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.bodyStream = bodyStream
        self.peer = peer
    }
}

/// Handles a request; never throws, since every client gets a response.
package typealias Responder = @Sendable (Request) async -> Response

/// An HTTP request method (RFC 9110, 9.1), upper case.
package struct Method: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = Method(rawValue: "GET")
    package static let head = Method(rawValue: "HEAD")
    package static let post = Method(rawValue: "POST")
    package static let put = Method(rawValue: "PUT")
    package static let patch = Method(rawValue: "PATCH")
    package static let delete = Method(rawValue: "DELETE")
    package static let options = Method(rawValue: "OPTIONS")

    /// All methods, for a subtree route.
    package static let any = Method(rawValue: "*")

    /// Whether the method is safe: read-only (RFC 9110, 9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }
}

/// The media types a client prefers (RFC 9110, 12.5.1).
package struct Accept: Sendable {
    private var ranges: [(type: String, quality: Double)] = []

    /// Without an `Accept` header all types are equally acceptable.
    package init(_ headers: Headers) {
        for header in headers.all("Accept") {
            for part in header.utf8.split(separator: UInt8(ascii: ",")) {
                let components = String(Substring(part)).lowercased().split(separator: ";").map {
                    $0.filter { $0 != " " }
                }
                guard let type = components.first else { continue }
                let weight = components.dropFirst().first { $0.hasPrefix("q=") }
                let quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                ranges.append((String(type), quality))
            }
        }
    }

    /// From 0 to 1; the most specific range counts.
    package func quality(of type: String) -> Double {
        guard !ranges.isEmpty else { return 1 }
        let wildcard = type.prefix { $0 != "/" } + "/*"
        for candidate in [type, String(wildcard), "*/*"] {
            if let range = ranges.first(where: { $0.type == candidate }) { return range.quality }
        }
        return 0
    }

    /// Whether the client is a browser loading a page, not a script that accepts anything.
    package var prefersHTML: Bool { quality(of: "text/html") > quality(of: "application/json") }
}
