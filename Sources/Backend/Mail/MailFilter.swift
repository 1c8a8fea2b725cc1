import SQLite
import Synchronization

/// Selects mails of a workspace.
struct MailFilter: Sendable {
    var workspace: String
    /// The full address in any spelling.
    var to: String?
    var app: String?
    var purpose: String?
    var since: Timestamp?

    /// Conditions joined by AND, and the values bound to them.
    var sqlCondition: (sql: StaticSQL, values: [Value]) {
        var parts: [StaticSQL] = ["workspace = ?"]
        var values: [Value] = [.text(workspace)]
        func add(_ part: StaticSQL, _ value: Value?) {
            guard let value else { return }
            parts.append(part)
            values.append(value)
        }
        add("recipient = ?", to.map { .text(Self.normalized($0)) })
        add("contract = ?", app.map { .text($0) })
        add("purpose = ?", purpose.map { .text($0) })
        add("sent_at >= ?", since?.sqlValue)
        return (.joined(parts, separator: " AND "), values)
    }

    func matches(_ mail: Mail) -> Bool {
        mail.workspace == workspace && to.map { Self.normalized($0) == mail.to } ?? true
            && app.map { $0 == mail.app } ?? true && purpose.map { $0 == mail.purpose } ?? true
            && since.map { $0 <= Timestamp(mail.sentAt) } ?? true
    }

    /// The address as stored for recipients; text that is no address matches nothing.
    static func normalized(_ address: String) -> String {
        EmailAddress(address)?.text ?? address.lowercased()
    }
}

/// Pending waits for mail; each receives mails that match its filter.
final class MailWaiters: Sendable {
    private let state = Mutex(State())

    private struct State {
        var lastKey = 0
        var waiters: [Int: Waiter] = [:]
    }

    private struct Waiter {
        let filter: MailFilter
        let continuation: AsyncStream<Mail>.Continuation
    }

    /// Mails that match `filter` from now on. Buffers only the newest for a consumer that is not
    /// yet reading.
    func mails(matching filter: MailFilter) -> AsyncStream<Mail> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Mail.self, bufferingPolicy: .bufferingNewest(1))
        let key = state.withLock { state in
            state.lastKey += 1
            state.waiters[state.lastKey] = Waiter(filter: filter, continuation: continuation)
            return state.lastKey
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.waiters.removeValue(forKey: key) }
        }
        return stream
    }

    func notify(of mail: Mail) {
        let matching = state.withLock { state in
            state.waiters.values.filter { $0.filter.matches(mail) }
        }
        for waiter in matching { waiter.continuation.yield(mail) }
    }

    /// The number of pending waits.
    var count: Int { state.withLock { $0.waiters.count } }
}
