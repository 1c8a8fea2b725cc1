import Web

/// Validates a custom base URL: https, or loopback, and never Foyer itself.
///
/// Checks only the text; resolved addresses are checked when they are used.
enum CustomBaseURL {
    private static let maxLength = 2_048

    /// The base URL without a trailing slash.
    static func validate(_ text: String, foyerPorts: Set<UInt16>) throws(Problem) -> String {
        guard text.utf8.count <= maxLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains(where: { "\\\"<>^`{|}".contains($0) })
        else { throw problem("It contains invalid characters.") }
        let address = URLParts(text)
        guard let scheme = address.scheme, address.authority != nil else {
            throw problem("Include the scheme: https://api.example.com/v1.")
        }
        guard address.query == nil, address.fragment == nil else {
            throw problem("A base URL has no query or fragment.")
        }
        guard address.userInfo == nil else {
            throw problem("A base URL must not contain credentials.")
        }
        let host = address.host
        guard !host.isEmpty else { throw problem("It has no host.") }
        guard !host.hasPrefix("[") || host.hasSuffix("]") else {
            throw problem("Its host is invalid.")
        }
        let isLocal = isThisMachine(host)
        switch scheme {
        case "https": break
        case "http": guard isLocal else { throw problem("http is for localhost only; use https.") }
        default: throw problem("Only http and https URLs.")
        }
        guard let port = address.port else { throw problem("Its port must be 1 to 65535.") }
        guard !isLocal || !foyerPorts.contains(port) else {
            throw problem("It is Foyer's own address.")
        }
        var base = Substring(text)
        while base.last == "/" { base.removeLast() }
        return String(base)
    }

    /// Whether a host is this machine, in any spelling that some resolver accepts: `127.1` and
    /// `localhost.` too.
    private static func isThisMachine(_ host: String) -> Bool {
        let name = host.last == "." ? String(host.dropLast()) : host
        return URLParts("//" + name).isLoopback || ["0.0.0.0", "[::]"].contains(name)
            || name.hasPrefix("[::ffff:127.")
            || name.hasPrefix("127.")
                && name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func problem(_ detail: String) -> Problem {
        Problem(
            status: 422, code: "invalid-base-url", title: "Invalid base URL", detail: detail,
            errors: [.init(pointer: "/base", detail: detail)])
    }
}

/// The simulator's access to the embedded backend: its base URL and its client settings.
package struct EmbeddedBackendAccess: Sendable {
    /// `http://127.0.0.1:7071`
    let baseURL: String
    /// A setting of a contract in a workspace, such as its `anonKey`.
    let clientSetting: @Sendable (ClientSettingQuery) -> String?

    /// Simulates a TLS failure by dialing the plain-HTTP backend with https.
    var forcingTLS: EmbeddedBackendAccess {
        EmbeddedBackendAccess(
            baseURL: baseURL.replacing("http:", with: "https:", maxReplacements: 1),
            clientSetting: clientSetting)
    }

    /// A query for a client setting of a contract in a workspace.
    package struct ClientSettingQuery: Sendable, Equatable {
        package var contract: String
        package var name: String
        package var workspace: String
    }

    package init(
        baseURL: String,
        clientSetting: @escaping @Sendable (ClientSettingQuery) -> String? = { _ in nil }
    ) {
        self.baseURL = baseURL
        self.clientSetting = clientSetting
    }
}
