import Glibc

/// A bound socket that listens, ours until libmicrohttpd has started with it.
///
/// We bind it ourselves because libmicrohttpd only says *that* it could not.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    let port: UInt16

    init(address: String, port: UInt16) throws(ServerError) {
        var storage = sockaddr_storage()
        let length = try Self.writeAddress(address, port, to: &storage)
        let family = Int32(storage.ss_family)
        let kind =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else {
            throw Self.makeError(.addressUnavailable, "no socket for \(address)")
        }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        let bound = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0, listen(descriptor, 1024) == 0 else {
            defer { close(descriptor) }
            throw errno == EADDRINUSE
                ? ServerError(kind: .portInUse, detail: "port \(port) is taken by another program")
                : Self.makeError(.addressUnavailable, "cannot listen on \(address):\(port)")
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
    }

    deinit { close(descriptor) }

    /// `MHD_stop_daemon` closes it.
    consuming func handOver() { discard self }

    private static func writeAddress(
        _ address: String, _ port: UInt16, to storage: inout sockaddr_storage
    )
        throws(ServerError) -> socklen_t
    {
        var four = sockaddr_in()
        if inet_pton(AF_INET, address, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
            return socklen_t(MemoryLayout<sockaddr_in>.size)
        }
        var six = sockaddr_in6()
        if inet_pton(AF_INET6, address, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: six, as: sockaddr_in6.self) }
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
        // The port lies at the same place in both families.
        let port = withUnsafeBytes(of: storage) { $0.load(as: sockaddr_in.self).sin_port }
        return UInt16(bigEndian: port)
    }

    private static func makeError(_ kind: ServerError.Kind, _ what: String) -> ServerError {
        ServerError(kind: kind, detail: "\(what): \(String(cString: strerror(errno)))")
    }
}
