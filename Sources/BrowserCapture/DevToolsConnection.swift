import Synchronization
import Web

/// The DevTools protocol over the browser's pipes: a command is answered once,
/// under its number; events are passed over.
final class DevToolsConnection: Sendable {
    private let process: BrowserProcess
    private let state = Mutex(State())

    /// Longer than any picture of a phone; beyond it, something is wrong.
    static let maxMessageBytes = 64 << 20

    private typealias Response = Result<JSON, ScreenshotError>

    private struct State {
        var lastID: Int64 = 0
        var pending: [Int64: CheckedContinuation<Response, Never>] = [:]
        /// Why nobody answers any more.
        var closeReason: ScreenshotError?
        /// What came of a message that is not complete.
        var partialMessage: [UInt8] = []
    }

    init(with process: BrowserProcess) {
        self.process = process
        process.startReading { [weak self] in self?.receive($0) }
    }

    /// The `result` of a command, to the browser or to one of its pages.
    func send(_ method: String, _ parameters: JSON = [:], tab: String? = nil)
        async throws(ScreenshotError) -> JSON
    {
        let answer: Response = await withCheckedContinuation { waiting in
            let begun = state.withLock { state -> Result<Int64, ScreenshotError> in
                if let ending = state.closeReason { return .failure(ending) }
                state.lastID += 1
                state.pending[state.lastID] = waiting
                return .success(state.lastID)
            }
            switch begun {
            case .failure(let ending): waiting.resume(returning: .failure(ending))
            case .success(let number):
                var members: [JSON.Member] = [
                    .init("id", .int(number)), .init("method", .string(method)),
                    .init("params", parameters),
                ]
                if let page = tab { members.append(.init("sessionId", .string(page))) }
                process.write(JSON.object(members).bytes + [0])
            }
        }
        let message = try answer.get()
        guard let result = message["result"] else {
            throw .commandFailed(
                method: method, message: message["error"]?["message"]?.string ?? "no answer")
        }
        return result
    }

    /// Whoever waits is told why it waits in vain, and whoever asks later.
    func close(_ reason: ScreenshotError) {
        let waiting = state.withLock { state in
            if state.closeReason == nil { state.closeReason = reason }
            defer { state.pending = [:] }
            return state.pending.values.map { $0 }
        }
        for one in waiting { one.resume(returning: .failure(reason)) }
    }

    // MARK: What comes

    private func receive(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return close(.ended(lastLogLine: process.lastLogLine)) }
        let messages = state.withLock { state in Self.completeMessages(bytes, &state.partialMessage)
        }
        guard let messages else { return close(.ended(lastLogLine: "an answer without an end")) }
        for message in messages { handle(message) }
    }

    /// The messages that are complete, each up to a NUL; nil if one grows
    /// beyond bounds.
    static func completeMessages(_ bytes: [UInt8], _ begun: inout [UInt8]) -> [[UInt8]]? {
        var pieces = bytes.split(separator: 0, omittingEmptySubsequences: false)
        let rest = pieces.removeLast()
        var messages: [[UInt8]] = []
        for piece in pieces {
            messages.append(begun + piece)
            begun = []
        }
        begun += rest
        return begun.count > maxMessageBytes ? nil : messages
    }

    private func handle(_ bytes: [UInt8]) {
        guard let message = try? JSON(parsing: bytes), let number = message["id"]?.int else {
            return
        }
        let waiting = state.withLock { $0.pending.removeValue(forKey: number) }
        waiting?.resume(returning: .success(message))
    }
}
