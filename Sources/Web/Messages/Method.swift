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
