import CMicrohttpd
import Glibc

/// A libmicrohttpd connection.
///
/// `@unchecked Sendable`: the pointer is valid until the connection's CLOSED notification, which
/// `ClientConnection` handles under its lock; `resume` is the only call that libmicrohttpd allows
/// from any thread, the others stay in callbacks.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Stops libmicrohttpd from processing the connection; only from inside its callbacks.
    func suspend() { MHD_suspend_connection(pointer) }

    /// Resumes processing; once per `suspend`.
    func resume() { MHD_resume_connection(pointer) }

    /// Makes libmicrohttpd skip parsing the query and cookies: its parsed values are never used,
    /// and each costs the connection 56 bytes of memory, which a browser's would exhaust. Call it
    /// only when `target` has just been read.
    ///
    /// It truncates the query, in the buffer in which libmicrohttpd is about to do the same.
    /// libmicrohttpd parses only the first of several `Cookie` fields, so a marker field is
    /// inserted before the client's. Returns whether it was inserted.
    func skipQueryAndCookieParsing(of target: UnsafePointer<CChar>) -> Bool {
        if let queryStart = strchr(target, Int32(UInt8(ascii: "?"))) { queryStart[1] = 0 }
        return foyer_mhd_put_cookie_mark(pointer) != 0
    }

    var socket: Int32 {
        foyer_mhd_connection_info(pointer, .CONNECTION_INFO_CONNECTION_FD)?.pointee.connect_fd ?? -1
    }

    /// Bytes of request line and headers.
    var headerSize: Int {
        foyer_mhd_connection_info(pointer, .CONNECTION_INFO_REQUEST_HEADER_SIZE)?.pointee
            .header_size ?? 0
    }

    /// The context that `connectionChanged` stored for this connection.
    var context: UnsafeMutableRawPointer? {
        foyer_mhd_connection_info(pointer, .CONNECTION_INFO_SOCKET_CONTEXT)?.pointee.socket_context
    }

    /// `127.0.0.1` or `::1`; empty if unknown.
    var peer: String {
        guard
            let address = foyer_mhd_connection_info(pointer, .CONNECTION_INFO_CLIENT_ADDRESS)?
                .pointee.client_addr
        else { return "" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = Int32(address.pointee.sa_family)
        let raw = UnsafeRawPointer(address)
        let offset =
            family == AF_INET6
            ? MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)
            : MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)
        guard let offset, inet_ntop(family, raw + offset, &text, socklen_t(text.count)) != nil
        else { return "" }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
