import Email
import Glibc
import HTTPServer
import Support
import Synchronization
import Testing

@testable import SMTPServer

/// Over real sockets of loopback.
@Suite(.timeLimit(.minutes(10))) struct SMTPServerTests {
    /// A connection that blocks until it has received what a test expects.
    private final class Connection {
        private let descriptor: Int32
        private var received = ""

        init(_ port: UInt16) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, size)
                }
            }
            try #require(code == 0)
        }

        deinit { close(descriptor) }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            #expect(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        }

        /// What is received up to and with `end`, or up to the end of the connection.
        func read(until end: String?) -> String {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while end.map({ !received.contains($0) }) ?? true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                received += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            defer { received = "" }
            return received
        }
    }

    private func makeServer(
        connectionLimit: Int = 32,
        deliver: @escaping SMTPServer.Deliver = { _ in .stored(id: "mail_1") }
    ) throws -> SMTPServer {
        try SMTPServer(
            ListeningSocket(address: "127.0.0.1", port: 0), SMTPConfiguration(),
            connectionLimit: connectionLimit, deliver: deliver)
    }

    private static func blocking<R: Sendable>(_ work: @escaping @Sendable () throws -> R)
        async throws -> R
    {
        try await BlockingThread.run { Result { try work() } }.get()
    }

    private static let envelope =
        "EHLO test\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n"

    @Test func `a pipelined message of many packets is delivered`() async throws {
        let sizes = Mutex<[Int]>([])
        let server = try makeServer { delivery in
            sizes.withLock { $0.append(delivery.message.count) }
            return .stored(id: "mail_1")
        }
        let body = String(repeating: String(repeating: "x", count: 98) + "\r\n", count: 10_000)
        let replies = try await Self.blocking {
            let connection = try Connection(server.port)
            connection.send(Self.envelope)
            _ = connection.read(until: "354")
            connection.send(body + ".\r\nQUIT\r\n")
            return connection.read(until: nil)
        }
        #expect(replies.contains("250 2.0.0 Stored as mail_1"))
        #expect(replies.hasSuffix("221 2.0.0 Bye\r\n"))
        #expect(sizes.withLock { $0 } == [1_000_000])
        await server.stop()
    }

    @Test func `connections above the limit are told so`() async throws {
        let server = try makeServer(connectionLimit: 1)
        let (first, second) = try await Self.blocking {
            let first = try Connection(server.port)
            let greeting = first.read(until: "\r\n")
            return (greeting, try Connection(server.port).read(until: nil))
        }
        #expect(first == "220 localhost ESMTP Foyer\r\n")
        #expect(second == "421 4.3.2 Too many connections\r\n")
        await server.stop()
    }

    @Test func `a stop finishes the pending delivery and tells idle clients`() async throws {
        let (deliveries, continuation) = AsyncStream.makeStream(of: Void.self)
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        let server = try makeServer { _ in
            continuation.yield()
            for await _ in release { break }
            return .stored(id: "mail_1")
        }
        let busy = Task {
            try await Self.blocking {
                let connection = try Connection(server.port)
                connection.send(Self.envelope + "Hi\r\n.\r\n")
                return connection.read(until: nil)
            }
        }
        let idle = Task {
            try await Self.blocking { try Connection(server.port).read(until: nil) }
        }
        for await _ in deliveries { break }
        let stopping = Task { await server.stop() }
        #expect(try await idle.value.contains("421 4.3.2 Foyer is stopping\r\n"))
        releasing.yield()
        let replies = try await busy.value
        #expect(replies.contains("250 2.0.0 Stored as mail_1\r\n421 4.3.2 Foyer is stopping\r\n"))
        await stopping.value
        await server.stop()
    }
}
