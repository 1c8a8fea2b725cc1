import Email
import Glibc
import HTTPServer
import Synchronization

/// The thread of an SMTP server: accepts, reads, replies and closes.
///
/// Other threads only leave a note in `notes` and write to the pipe that wakes it.
final class SMTPLoop: Sendable {
    private let listener: Int32
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let connectionLimit: Int
    private let notes = Mutex(Notes())

    private struct Notes {
        var outcomes: [(connection: Int, SMTPDelivery.Outcome)] = []
        var isStopping = false
        var hasEnded = false
        var stopHandlers: [@Sendable () -> Void] = []
    }

    /// A silent client is disconnected (RFC 5321, 4.5.3.2.7).
    private static let idleLimit: Duration = .seconds(300)
    /// Beyond it a client that does not read its replies is not read from.
    private static let maxPendingReplies = 64 << 10
    /// For replies and deliveries of a server that stops.
    private static let stopLimit: Duration = .seconds(3)

    init(_ listener: Int32, connectionLimit: Int) throws(ServerError) {
        self.listener = listener
        self.connectionLimit = connectionLimit
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            close(listener)
            throw ServerError(kind: .libraryFailure, detail: "cannot create a pipe")
        }
        for end in ends { Self.configure(end) }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// Without `pipe2` and `accept4`, which the Glibc module does not have.
    private static func configure(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    // MARK: Called on any thread

    /// The outcome of a connection's delivery.
    func finish(_ connection: Int, _ outcome: SMTPDelivery.Outcome) {
        notes.withLock { $0.outcomes.append((connection, outcome)) }
        wake()
    }

    /// Calls `handler` once the server has stopped.
    func requestStop(_ handler: @escaping @Sendable () -> Void = {}) {
        let hasEnded = notes.withLock { notes in
            notes.isStopping = true
            if !notes.hasEnded { notes.stopHandlers.append(handler) }
            return notes.hasEnded
        }
        if hasEnded { handler() } else { wake() }
    }

    /// A full pipe wakes the thread as well.
    private func wake() {
        var byte: UInt8 = 0
        _ = write(wakeWriter, &byte, 1)
    }

    // MARK: The thread

    private struct ClientState {
        let descriptor: Int32
        var session: SMTPSession
        var replies: [UInt8] = []
        var isClosing = false
        var lastActivity = ContinuousClock.now
    }

    /// Returns when the server has stopped.
    func run(_ configuration: SMTPConfiguration, deliver: (Int, SMTPDelivery) -> Void) {
        var clients: [Int: ClientState] = [:]
        var nextID = 0
        var stopDeadline: ContinuousClock.Instant?

        func perform(_ outputs: [SMTPSession.Output], _ id: Int) {
            for output in outputs {
                switch output {
                case .reply(let text): clients[id]?.replies += Array(text.utf8)
                case .deliver(let delivery): deliver(id, delivery)
                case .close: clients[id]?.isClosing = true
                }
            }
        }

        func sendReplies(_ id: Int) {
            guard let client = clients[id] else { return }
            let count = send(
                client.descriptor, client.replies, client.replies.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                clients[id]?.replies.removeFirst(count)
            } else if count < 0, errno != EAGAIN, errno != EINTR {
                clients[id]?.replies = []
                clients[id]?.isClosing = true
            }
        }

        func accept(refusing: Bool) {
            while true {
                let descriptor = Glibc.accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                Self.configure(descriptor)
                nextID += 1
                var client = ClientState(
                    descriptor: descriptor, session: SMTPSession(configuration))
                let isFull = clients.count >= connectionLimit
                client.isClosing = isFull || refusing
                client.replies = Array(
                    (isFull
                        ? "421 4.3.2 Too many connections\r\n"
                        : refusing ? "421 4.3.2 Foyer is stopping\r\n" : client.session.greeting)
                        .utf8)
                clients[nextID] = client
                sendReplies(nextID)
            }
        }

        func receive(_ id: Int) {
            guard let client = clients[id] else { return }
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(client.descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                clients[id]?.lastActivity = .now
                perform(clients[id]?.session.receive(Array(buffer.prefix(count))) ?? [], id)
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                clients[id]?.replies = []
                clients[id]?.isClosing = true
            }
        }

        while true {
            let isStopping = notes.withLock { $0.isStopping }
            if isStopping, stopDeadline == nil {
                stopDeadline = .now + Self.stopLimit
                accept(refusing: true)
            }
            var polled = [
                pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isStopping ? -1 : listener, events: Int16(POLLIN), revents: 0),
            ]
            let ids = clients.keys.sorted()
            for id in ids {
                guard let client = clients[id] else { continue }
                let canRead =
                    !client.isClosing && !client.session.isDelivering
                    && client.replies.count < Self.maxPendingReplies
                polled.append(
                    pollfd(
                        fd: client.descriptor,
                        events: Int16(canRead ? POLLIN : 0)
                            | Int16(client.replies.isEmpty ? 0 : POLLOUT), revents: 0))
            }
            _ = poll(&polled, nfds_t(polled.count), isStopping ? 50 : 1_000)

            var drained = [UInt8](repeating: 0, count: 256)
            while read(wakeReader, &drained, drained.count) > 0 {}
            let outcomes = notes.withLock { notes in
                defer { notes.outcomes = [] }
                return notes.outcomes
            }
            for (id, outcome) in outcomes {
                clients[id]?.lastActivity = .now
                perform(clients[id]?.session.finishDelivery(outcome) ?? [], id)
            }
            if !isStopping, polled[1].revents != 0 { accept(refusing: false) }
            let failed = Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)
            for (id, result) in zip(ids, polled.dropFirst(2)) where result.revents != 0 {
                // What was received before the end is read first.
                if result.revents & Int16(POLLIN) != 0 {
                    receive(id)
                } else if result.revents & failed != 0 {
                    clients[id]?.replies = []
                    clients[id]?.isClosing = true
                }
            }

            let now = ContinuousClock.now
            for (id, client) in clients {
                let isIdle = now - client.lastActivity > Self.idleLimit
                if !client.isClosing, !client.session.isDelivering, isIdle || isStopping {
                    let reason = isStopping ? "4.3.2 Foyer is stopping" : "4.4.2 Time-out"
                    perform([.reply("421 \(reason)\r\n"), .close], id)
                }
                if clients[id]?.replies.isEmpty == false { sendReplies(id) }
                let isExpired = stopDeadline.map { now > $0 } ?? false
                // A client that does not take its last replies.
                let isStuck = client.isClosing && now - client.lastActivity > .seconds(10)
                if let client = clients[id],
                    client.isClosing && (client.replies.isEmpty || isStuck)
                        && !client.session.isDelivering || isExpired
                {
                    shutdown(client.descriptor, Int32(SHUT_WR))
                    close(client.descriptor)
                    clients[id] = nil
                }
            }
            if isStopping, clients.isEmpty { break }
        }
        close(listener)
        let handlers = notes.withLock { notes in
            notes.hasEnded = true
            return notes.stopHandlers
        }
        for handler in handlers { handler() }
    }
}
