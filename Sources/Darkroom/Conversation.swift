import Synchronization
import Web

/// The DevTools protocol over the browser's pipes: a command is answered once,
/// under its number; events are passed over.
final class Conversation: Sendable {
    private let process: BrowserProcess
    private let state = Mutex(State())

    /// Longer than any picture of a phone; beyond it, something is wrong.
    static let mostBytes = 64 << 20

    private typealias Answer = Result<JSON, CameraError>

    private struct State {
        var last: Int64 = 0
        var waiting: [Int64: CheckedContinuation<Answer, Never>] = [:]
        /// Why nobody answers any more.
        var ending: CameraError?
        /// What came of a message that is not complete.
        var begun: [UInt8] = []
    }

    init(with process: BrowserProcess) {
        self.process = process
        process.read { [weak self] in self?.take($0) }
    }

    /// The `result` of a command, to the browser or to one of its pages.
    func ask(_ method: String, _ parameters: JSON = [:], page: String? = nil)
        async throws(CameraError) -> JSON
    {
        let answer: Answer = await withCheckedContinuation { waiting in
            let begun = state.withLock { state -> Result<Int64, CameraError> in
                if let ending = state.ending { return .failure(ending) }
                state.last += 1
                state.waiting[state.last] = waiting
                return .success(state.last)
            }
            switch begun {
            case .failure(let ending): waiting.resume(returning: .failure(ending))
            case .success(let number):
                var members: [JSON.Member] = [
                    .init("id", .int(number)), .init("method", .string(method)),
                    .init("params", parameters),
                ]
                if let page { members.append(.init("sessionId", .string(page))) }
                process.write(JSON.object(members).bytes + [0])
            }
        }
        let message = try answer.get()
        guard let result = message["result"] else {
            throw .refused(
                method: method, words: message["error"]?["message"]?.string ?? "no answer")
        }
        return result
    }

    /// Whoever waits is told why it waits in vain, and whoever asks later.
    func end(_ reason: CameraError) {
        let waiting = state.withLock { state in
            if state.ending == nil { state.ending = reason }
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        for one in waiting { one.resume(returning: .failure(reason)) }
    }

    // MARK: What comes

    private func take(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return end(.ended(lastWords: process.lastWords)) }
        let messages = state.withLock { state in Self.whole(bytes, &state.begun) }
        guard let messages else { return end(.ended(lastWords: "an answer without an end")) }
        for message in messages { heed(message) }
    }

    /// The messages that are complete, each up to a NUL; nil if one grows
    /// beyond bounds.
    static func whole(_ bytes: [UInt8], _ begun: inout [UInt8]) -> [[UInt8]]? {
        var pieces = bytes.split(separator: 0, omittingEmptySubsequences: false)
        let rest = pieces.removeLast()
        var messages: [[UInt8]] = []
        for piece in pieces {
            messages.append(begun + piece)
            begun = []
        }
        begun += rest
        return begun.count > mostBytes ? nil : messages
    }

    private func heed(_ bytes: [UInt8]) {
        guard let message = try? JSON(parsing: bytes), let number = message["id"]?.int else {
            return
        }
        let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
        waiting?.resume(returning: .success(message))
    }
}
