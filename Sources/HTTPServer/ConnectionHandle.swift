import CMicrohttpd
import Glibc

/// One connection of libmicrohttpd's.
///
/// `@unchecked Sendable`: the pointer is good until the connection's CLOSED
/// notification, which `Visitor` receives under its lock; `resume` is the one
/// call libmicrohttpd takes from any thread, the others stay in callbacks.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Stops libmicrohttpd from caring; only from inside its callbacks.
    func suspend() { MHD_suspend_connection(pointer) }

    /// Takes it up again; once per `suspend`.
    func resume() { MHD_resume_connection(pointer) }

    /// Has libmicrohttpd take neither the query nor cookies apart: nobody asks
    /// it for them, and each costs the connection 56 bytes of memory, of which
    /// a browser's would take all. Only when `target` has just been read.
    ///
    /// The query is cut off, in the buffer where libmicrohttpd itself is about
    /// to. Of several `Cookie` fields it looks at the first, so one of ours is
    /// put before those that come; whether it was.
    func skipQueryAndCookieParsing(of target: UnsafePointer<CChar>) -> Bool {
        if let mark = strchr(target, Int32(UInt8(ascii: "?"))) { mark[1] = 0 }
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

    /// What `connectionChanged` left for this connection.
    var context: UnsafeMutableRawPointer? {
        foyer_mhd_connection_info(pointer, .CONNECTION_INFO_SOCKET_CONTEXT)?.pointee.socket_context
    }

    /// `127.0.0.1` or `::1`; empty if there is none.
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
