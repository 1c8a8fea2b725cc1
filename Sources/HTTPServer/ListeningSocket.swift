import Glibc

/// A bound socket that listens, owned by this type until a server has started with it.
///
/// libmicrohttpd does not bind it itself, because it only reports *that* it could not.
package struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    /// The bound port (useful when 0 was requested).
    package let port: UInt16

    /// Clients can connect from here on, and wait.
    package init(address: String, port: UInt16) throws(ServerError) {
        var storage = sockaddr_storage()
        let length = try Self.writeAddress(address, port, to: &storage)
        let family = Int32(storage.ss_family)
        let kind =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else {
            throw Self.makeError(.addressUnavailable, "cannot create a socket for \(address)")
        }
        var enabled: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &enabled, size)
        let bound = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0, listen(descriptor, 1024) == 0 else {
            defer { close(descriptor) }
            throw errno == EADDRINUSE
                ? ServerError(kind: .portInUse, detail: "port \(port) is in use by another program")
                : Self.makeError(.addressUnavailable, "cannot listen on \(address):\(port)")
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
    }

    deinit { close(descriptor) }

    /// The descriptor, which the caller closes.
    package consuming func takeDescriptor() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    /// `MHD_stop_daemon` closes it.
    consuming func handOver() { discard self }

    private static func writeAddress(
        _ address: String, _ port: UInt16, to storage: inout sockaddr_storage
    ) throws(ServerError) -> socklen_t {
        var ipv4 = sockaddr_in()
        if inet_pton(AF_INET, address, &ipv4.sin_addr) == 1 {
            ipv4.sin_family = sa_family_t(AF_INET)
            ipv4.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: ipv4, as: sockaddr_in.self) }
            return socklen_t(MemoryLayout<sockaddr_in>.size)
        }
        var ipv6 = sockaddr_in6()
        if inet_pton(AF_INET6, address, &ipv6.sin6_addr) == 1 {
            ipv6.sin6_family = sa_family_t(AF_INET6)
            ipv6.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: ipv6, as: sockaddr_in6.self) }
            return socklen_t(MemoryLayout<sockaddr_in6>.size)
        }
        throw ServerError(
            kind: .addressUnavailable, detail: "\(address) is not an IPv4 or IPv6 address")
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        _ = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        // The port has the same offset in both families.
        let port = withUnsafeBytes(of: storage) { $0.load(as: sockaddr_in.self).sin_port }
        return UInt16(bigEndian: port)
    }

    private static func makeError(_ kind: ServerError.Kind, _ message: String) -> ServerError {
        ServerError(kind: kind, detail: "\(message): \(String(cString: strerror(errno)))")
    }
}

/// Why a server cannot start.
package struct ServerError: Error, Sendable, Equatable {
    package var kind: Kind
    package var detail: String

    package init(kind: Kind, detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// What prevented the start.
    package enum Kind: String, Sendable {
        case portInUse
        case addressUnavailable
        case libraryFailure
    }
}
