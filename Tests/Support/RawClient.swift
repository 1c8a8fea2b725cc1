import Glibc
import Synchronization

/// An HTTP client that sends exactly the given bytes, valid or not.
///
///     let client = try RawClient(port: server.port)
///     await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
///     let response = try await client.answer()
///
/// Blocking calls run on their own threads. No call waits longer than `patience`; then the test
/// fails instead of hanging.
package final class RawClient: Sendable {
    private let socket: Int32
    /// Received bytes that belong to the next response.
    private let unread = Mutex<[UInt8]>([])

    /// No connection, or a response that is not HTTP.
    package enum Failure: Error, Equatable {
        case notConnected
        /// The server closed the connection before the response was complete.
        case closed
        case malformed(String)
    }

    /// Connects to 127.0.0.1. `patience` is in seconds; `window` limits the bytes that the system
    /// receives before they are read.
    package init(port: UInt16, patience: Int = 20, window: Int32? = nil) throws {
        let socket = Socket.make()
        guard socket >= 0 else { throw Failure.notConnected }
        self.socket = socket
        var wait = timeval(tv_sec: patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
        if var window {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure.notConnected }
    }

    deinit { close(socket) }

    /// Waits until the server on `port` answers new requests with 503, as it does while it stops.
    package static func isRejected(by port: UInt16) async -> Bool {
        await eventually {
            guard let client = try? RawClient(port: port) else { return false }
            await client.send("GET /probe HTTP/1.1\r\nHost: x\r\n\r\n")
            return (try? await client.answer())?.status == 503
        }
    }

    /// Sends `text`; false if the server has disconnected.
    @discardableResult package func send(_ text: String) async -> Bool {
        await send(Array(text.utf8))
    }

    /// Sends `bytes`; false if the server has disconnected.
    @discardableResult package func send(_ bytes: [UInt8]) async -> Bool {
        await BlockingThread.run { [self] in Socket.send(bytes, to: socket) }
    }

    /// Ends sending, which the server notices; responses are still received.
    package func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Disconnects: nothing more is sent or received.
    package func leave() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// The next complete response; only the headers of a response to HEAD.
    package func answer(toHead: Bool = false) async throws -> RawResponse {
        while true {
            let parsed = try unread.withLock { unread in
                try RawResponse.take(from: &unread, isHead: toHead)
            }
            if let parsed { return parsed }
            guard await receiveMore() else { throw Failure.closed }
        }
    }

    /// Waits until `text` is received, and returns everything up to its end; nil if the connection
    /// ends before.
    package func text(until text: String) async -> String? {
        let pattern = Array(text.utf8)
        while true {
            let found: [UInt8]? = unread.withLock { unread in
                guard let end = unread.firstRange(of: pattern)?.upperBound else { return nil }
                defer { unread.removeFirst(end) }
                return Array(unread[..<end])
            }
            if let found { return String(decoding: found, as: UTF8.self) }
            guard await receiveMore() else { return nil }
        }
    }

    /// Everything that is received until the connection ends.
    package func all() async -> String {
        while await receiveMore() {}
        return unread.withLock { unread in
            defer { unread = [] }
            return String(decoding: unread, as: UTF8.self)
        }
    }

    private func receiveMore() async -> Bool {
        let bytes = await BlockingThread.run { [self] in Socket.receive(from: socket) }
        guard let bytes else { return false }
        unread.withLock { $0 += bytes }
        return true
    }
}
