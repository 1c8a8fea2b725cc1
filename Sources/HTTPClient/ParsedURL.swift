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
            throw .refusedURL(
                "The URL contains white space or characters that are not percent-encoded.")
        }
        guard let handle = curl_url() else { throw .refusedURL("Out of memory.") }
        defer { curl_url_cleanup(handle) }
        let code = curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER))
        guard code == CURLUE_OK else { throw .refusedURL(Self.errorMessage(code)) }
        let scheme = Self.component(CURLUPART_SCHEME, of: handle) ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw .refusedURL("The URL is neither http nor https.")
        }
        isEncrypted = scheme == "https"
        guard let host = Self.component(CURLUPART_HOST, of: handle), !host.isEmpty,
            let text = Self.component(CURLUPART_PORT, of: handle), let port = UInt16(text), port > 0
        else { throw .refusedURL("The URL has no host or port.") }
        self.host = host.lowercased()
        self.port = port
        guard isEncrypted || isLocalHost else {
            throw .refusedURL(
                "http to \(host) is not encrypted: https is required unless the host is loopback.")
        }
    }

    /// Whether the host names this machine; `Transfer.allowConnection` checks again when it is
    /// resolved.
    private var isLocalHost: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        return ipAddress.map { $0.isLoopback || $0.isUnspecified } ?? false
    }

    /// The host's address if it needs no name lookup.
    var ipAddress: PeerAddress? { PeerAddress(parsing: host) }

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
}

// Both declare `sockaddr`, and the compiler chooses which one is used.
import CCurl
import Glibc

/// A resolved address, independent of its spelling.
struct PeerAddress: Equatable {
    /// Four bytes or sixteen; an IPv4 address mapped into IPv6 is four.
    let bytes: [UInt8]

    private init(_ bytes: [UInt8]) {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        self.bytes = bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
    }

    /// `127.0.0.1` or `[::1]`; nil for a name.
    init?(parsing host: String) {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, host, &ipv4) == 1 {
            self.init(withUnsafeBytes(of: ipv4) { Array($0) })
            return
        }
        guard host.hasPrefix("["), host.hasSuffix("]") else { return nil }
        let inner = host.dropFirst().dropLast().prefix { $0 != "%" }
        var ipv6 = in6_addr()
        guard inet_pton(AF_INET6, String(inner), &ipv6) == 1 else { return nil }
        self.init(withUnsafeBytes(of: ipv6) { Array($0) })
    }

    /// A socket address of `length` bytes and its port; nil for a family that is not IP.
    static func read(_ address: UnsafeRawPointer, length: Int) -> (PeerAddress, port: UInt16)? {
        let family = address.loadUnaligned(as: sockaddr.self).sa_family
        switch Int32(family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let ipv4 = address.loadUnaligned(as: sockaddr_in.self)
            return (
                PeerAddress(withUnsafeBytes(of: ipv4.sin_addr) { Array($0) }),
                UInt16(bigEndian: ipv4.sin_port)
            )
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let ipv6 = address.loadUnaligned(as: sockaddr_in6.self)
            return (
                PeerAddress(withUnsafeBytes(of: ipv6.sin6_addr) { Array($0) }),
                UInt16(bigEndian: ipv6.sin6_port)
            )
        default: return nil
        }
    }

    /// 127.0.0.0/8 (RFC 1122, 3.2.1.3) and ::1 (RFC 4291, 2.5.3).
    var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// 0.0.0.0/8 and ::, which reach this machine too.
    var isUnspecified: Bool { bytes.count == 4 ? bytes[0] == 0 : bytes.allSatisfy { $0 == 0 } }

    /// 224.0.0.0/4 and above, and ff00::/8: not a single machine.
    var isMulticast: Bool { bytes.count == 4 ? bytes[0] >= 224 : bytes[0] == 0xFF }
}

extension TransportFailure {
    static func refusedURL(_ detail: String) -> TransportFailure {
        TransportFailure(.refusedURL, detail)
    }
}
