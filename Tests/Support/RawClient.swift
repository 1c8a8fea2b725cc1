import Glibc
import Synchronization

/// A client that sends exactly the bytes it is told to, however wrong.
///
///     let client = try RawClient(port: server.port)
///     await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
///     let answer = try await client.answer()
///
/// What blocks does so on a thread of its own. Nothing waits longer than the
/// patience given; then a test fails instead of hanging.
package final class RawClient: Sendable {
    private let socket: Int32
    /// What was received and belongs to the next answer.
    private let rest = Mutex<[UInt8]>([])

    /// No connection, or an answer that is not HTTP.
    package enum Failure: Error, Equatable {
        case notConnected
        /// The server ended the connection before the answer was whole.
        case closed
        case malformed(String)
    }

    /// Connects to 127.0.0.1. `patience` is in seconds; `window` bounds the
    /// bytes the system receives without being read.
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

    /// Waits until a server answers new requests, for `/probe`, with 503, as one that stops does.
    package static func turnedAway(by port: UInt16) async -> Bool {
        await eventually {
            guard let client = try? RawClient(port: port) else { return false }
            await client.send("GET /probe HTTP/1.1\r\nHost: x\r\n\r\n")
            return (try? await client.answer())?.status == 503
        }
    }

    /// False if the server has left.
    @discardableResult package func send(_ text: String) async -> Bool {
        await send(Array(text.utf8))
    }

    /// False if the server has left.
    @discardableResult package func send(_ bytes: [UInt8]) async -> Bool {
        await BlockingThread.run { [self] in Socket.send(bytes, to: socket) }
    }

    /// Nothing more is sent, which the server is told; what it answers is still received.
    package func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Leaves: nothing is sent or received any more.
    package func leave() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// The next whole answer; of one to HEAD, only the headers.
    package func answer(toHead: Bool = false) async throws -> RawAnswer {
        while true {
            let parsed = try rest.withLock { rest in try RawAnswer.take(from: &rest, isHead: toHead)
            }
            if let parsed { return parsed }
            guard await more() else { throw Failure.closed }
        }
    }

    /// Waits until `text` was received, and gives everything up to it; nil
    /// when the connection ended before.
    package func text(until text: String) async -> String? {
        let wanted = Array(text.utf8)
        while true {
            let found: [UInt8]? = rest.withLock { rest in
                guard let end = rest.firstRange(of: wanted)?.upperBound else { return nil }
                defer { rest.removeFirst(end) }
                return Array(rest[..<end])
            }
            if let found { return String(decoding: found, as: UTF8.self) }
            guard await more() else { return nil }
        }
    }

    /// Everything until the connection ends.
    package func all() async -> String {
        while await more() {}
        return rest.withLock { rest in
            defer { rest = [] }
            return String(decoding: rest, as: UTF8.self)
        }
    }

    private func more() async -> Bool {
        let bytes = await BlockingThread.run { [self] in Socket.receive(from: socket) }
        guard let bytes else { return false }
        rest.withLock { $0 += bytes }
        return true
    }
}
