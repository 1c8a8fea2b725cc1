import CCurl
import Web

/// Scheme, host and port of a URL, as libcurl itself parses it.
///
/// It uses libcurl's parser, because checks can be bypassed when two parsers disagree about a URL.
struct ParsedURL: Equatable {
    let isEncrypted: Bool
    /// Normalized: `127.1` is `127.0.0.1`, IPv6 is in brackets.
    let host: String
    let port: UInt16

    /// For messages: never the path, which may contain a secret.
    var hostAndPort: String { "\(host):\(port)" }

    init(_ url: String) throws(TransportFailure) {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.refusedURL(
                "The URL contains white space or characters that are not percent-encoded.")
        }
        guard let handle = curl_url() else { throw Self.refusedURL("Out of memory.") }
        defer { curl_url_cleanup(handle) }
        let code = curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER))
        guard code == CURLUE_OK else { throw Self.refusedURL(Self.errorMessage(code)) }
        let scheme = Self.component(CURLUPART_SCHEME, of: handle) ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw Self.refusedURL("The URL is neither http nor https.")
        }
        isEncrypted = scheme == "https"
        guard let host = Self.component(CURLUPART_HOST, of: handle), !host.isEmpty,
            let text = Self.component(CURLUPART_PORT, of: handle), let port = UInt16(text), port > 0
        else { throw Self.refusedURL("The URL has no host or port.") }
        self.host = host.lowercased()
        self.port = port
        guard isEncrypted || isLocalHost else {
            throw Self.refusedURL(
                "http to \(host) is not encrypted: https is required unless the host is loopback.")
        }
    }

    /// Whether the host needs no name lookup.
    var isIPAddress: Bool { ipAddress != nil }

    /// Whether the host names this machine; `Transfer.allowConnection` checks again when it is
    /// resolved.
    private var isLocalHost: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        return ipAddress.map { $0.isLoopback || $0.isUnspecified } ?? false
    }

    private var ipAddress: PeerAddress? { PeerAddress(parsing: host) }

    private static func component(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let flags = UInt32(CURLU_DEFAULT_PORT)
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// libcurl's texts repeat no part of the URL.
    private static func errorMessage(_ code: CURLUcode) -> String {
        if code == CURLUE_USER_NOT_ALLOWED {
            return "The URL contains a user name; send a header instead."
        }
        return "Malformed URL: " + String(cString: curl_url_strerror(code)) + "."
    }

    private static func refusedURL(_ detail: String) -> TransportFailure {
        TransportFailure(kind: .refusedURL, detail: detail)
    }
}
