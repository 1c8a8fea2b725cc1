import Synchronization
import Web

/// The DevTools protocol over the browser's pipes. Responses are matched to commands by id; events
/// are ignored.
final class DevToolsConnection: Sendable {
    private let process: BrowserProcess
    private let state = Mutex(State())

    /// More than any phone screenshot needs; a larger message is an error.
    static let maxMessageBytes = 64 << 20

    private typealias Response = Result<JSON, ScreenshotError>

    private struct State {
        var lastID: Int64 = 0
        var pending: [Int64: CheckedContinuation<Response, Never>] = [:]
        /// Set once the connection is closed; later commands fail with it.
        var closeReason: ScreenshotError?
        /// The received part of an incomplete message.
        var partialMessage: [UInt8] = []
    }

    init(with process: BrowserProcess) {
        self.process = process
        process.startReading { [weak self] in self?.receive($0) }
    }

    /// Sends a command to the browser or to one of its tabs and returns the `result`.
    func send(_ method: String, _ parameters: JSON = [:], tab: String? = nil)
        async throws(ScreenshotError) -> JSON
    {
        let response: Response = await withCheckedContinuation { continuation in
            let registration = state.withLock { state -> Result<Int64, ScreenshotError> in
                if let reason = state.closeReason { return .failure(reason) }
                state.lastID += 1
                state.pending[state.lastID] = continuation
                return .success(state.lastID)
            }
            switch registration {
            case .failure(let reason): continuation.resume(returning: .failure(reason))
            case .success(let id):
                let message = JSON.omittingNil([
                    "id": .int(id), "method": .string(method), "params": parameters,
                    "sessionId": tab.map(JSON.string),
                ])
                process.write(message.bytes + [0])
            }
        }
        let message = try response.get()
        guard let result = message["result"] else {
            throw .commandFailed(
                method: method, message: message["error"]?["message"]?.string ?? "no response")
        }
        return result
    }

    /// Fails all pending and later commands with `reason`.
    func close(_ reason: ScreenshotError) {
        let continuations = state.withLock { state in
            if state.closeReason == nil { state.closeReason = reason }
            defer { state.pending = [:] }
            return state.pending.values.map { $0 }
        }
        for continuation in continuations { continuation.resume(returning: .failure(reason)) }
    }

    // MARK: Receiving

    private func receive(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return close(.ended(lastLogLine: process.lastLogLine)) }
        let messages = state.withLock { Self.completeMessages(bytes, &$0.partialMessage) }
        guard let messages else { return close(.ended(lastLogLine: "an unterminated response")) }
        for message in messages { handle(message) }
    }

    /// The complete messages, each terminated by NUL; nil if one exceeds `maxMessageBytes`.
    static func completeMessages(_ bytes: [UInt8], _ partial: inout [UInt8]) -> [[UInt8]]? {
        var pieces = bytes.split(separator: 0, omittingEmptySubsequences: false)
        let remainder = pieces.removeLast()
        var messages: [[UInt8]] = []
        for piece in pieces {
            messages.append(partial + piece)
            partial = []
        }
        partial += remainder
        return partial.count > maxMessageBytes ? nil : messages
    }

    private func handle(_ bytes: [UInt8]) {
        guard let message = try? JSON(parsing: bytes), let id = message["id"]?.int else { return }
        let continuation = state.withLock { $0.pending.removeValue(forKey: id) }
        continuation?.resume(returning: .success(message))
    }
}
