import Core
import Synchronization
import Web

/// The checks of one request, recorded where they are made.
///
/// A task local, as in tracing libraries, so that shared code (tokens, passwords, codes, limits)
/// can record checks without every caller passing it on. Evidence is formatted only if the request
/// is rejected.
package final class CheckTrace: Sendable {
    @TaskLocal static var current: CheckTrace?

    /// The `X-Request-Id` of the response.
    let requestID: String
    private let state = Mutex(State())

    init(requestID: String) { self.requestID = requestID }

    struct Entry: Sendable {
        let check: RequestCheck
        let hasPassed: Bool
        let evidence: @Sendable () -> String
    }

    struct State: Sendable {
        /// The checks of the route, in order.
        var plannedChecks: [RequestCheck] = [.host, .workspace, .route]
        /// In the order made, one per check.
        var entries: [Entry] = []
        /// The checks that may have caused the rejection.
        var failureCandidates: [RequestCheck] = []
    }

    var currentState: State { state.withLock { $0 } }

    /// Records a check of the current request, if there is one. Evidence contains no password, and
    /// of a token at most `Token.masked`.
    package static func record(
        _ check: RequestCheck, _ hasPassed: Bool = true,
        _ evidence: @escaping @Sendable @autoclosure () -> String = ""
    ) {
        guard let trace = current else { return }
        let entry = Entry(check: check, hasPassed: hasPassed, evidence: evidence)
        trace.state.withLock { state in
            let existing = state.entries.firstIndex { $0.check == check }
            // A code is tried for several purposes; one match is sufficient.
            if let existing, check == .code, state.entries[existing].hasPassed { return }
            if let existing { state.entries.remove(at: existing) }
            state.entries.append(entry)
        }
    }

    /// Adds the checks the route will make from here on, in order.
    package static func plan(_ checks: [RequestCheck]) {
        current?.state.withLock { state in
            state.plannedChecks += checks.filter { !state.plannedChecks.contains($0) }
        }
    }

    /// Whether the route makes this check.
    package static func isPlanned(_ check: RequestCheck) -> Bool {
        current?.state.withLock { $0.plannedChecks.contains(check) } ?? false
    }

    /// Sets the checks that may have caused the rejection: the first one that failed did, else the
    /// last.
    static func setFailureCandidates(_ checks: [RequestCheck]) {
        current?.state.withLock { $0.failureCandidates = checks }
    }
}

extension CheckTrace {
    /// All checks in order, including the failed one. `errorMessage` is the response's message,
    /// used for failures without recorded evidence.
    func results(errorMessage: String) -> [CheckResult] {
        let state = currentState
        let entriesByCheck = Dictionary(
            state.entries.map { ($0.check, $0) }, uniquingKeysWith: { $1 })
        let failed = Self.failedCheck(state)
        var order = Self.orderedChecks(state)
        let last = order.lastIndex { entriesByCheck[$0]?.hasPassed == true } ?? -1
        if let failedIndex = order.firstIndex(of: failed) {
            // Checks recorded as passed were made before the failed one.
            if last > failedIndex {
                order.remove(at: failedIndex)
                order.insert(failed, at: last)
            }
        } else {
            // An unplanned check: it was made after all those recorded.
            order.insert(failed, at: last + 1)
        }
        let failedPosition = order.firstIndex(of: failed) ?? order.count
        return order.enumerated().map { index, check in
            if index > failedPosition { return CheckResult(check, .skipped, "") }
            let entry = entriesByCheck[check]
            if index < failedPosition {
                return CheckResult(check, .passed, entry?.evidence() ?? "")
            }
            let evidence = entry?.hasPassed == false ? entry?.evidence() : check.failureDescription
            return CheckResult(
                check, .failed,
                (evidence ?? errorMessage) + Self.rateLimitSuffix(of: check, state.entries))
        }
    }

    private static func failedCheck(_ state: State) -> RequestCheck {
        let failed = Set(state.entries.filter { !$0.hasPassed }.map(\.check))
        return state.failureCandidates.first { failed.contains($0) } ?? state.failureCandidates.last
            ?? state.entries.last { !$0.hasPassed }?.check  // Some pages reject without throwing.
            ?? (state.entries.contains { $0.check == .route } ? .fields : .route)
    }

    /// The planned checks, with unplanned ones inserted where they were recorded.
    private static func orderedChecks(_ state: State) -> [RequestCheck] {
        var order = state.plannedChecks
        var insertionIndex = 0
        for entry in state.entries {
            if let index = order.firstIndex(of: entry.check) {
                insertionIndex = index + 1
            } else if entry.hasPassed || state.failureCandidates.contains(entry.check) {
                order.insert(entry.check, at: min(insertionIndex, order.count))
                insertionIndex += 1
            }
        }
        return order
    }

    /// The rate limit's count of wrong attempts, if this failure added to it.
    private static func rateLimitSuffix(of check: RequestCheck, _ entries: [Entry]) -> String {
        guard check == .password || check == .account,
            let failureIndex = entries.firstIndex(where: { $0.check == check }),
            let limit = entries[failureIndex...].first(where: { $0.check == .rateLimit }),
            limit.hasPassed
        else { return "" }
        let evidence = limit.evidence()
        return evidence.isEmpty ? "" : ", \(evidence)"
    }
}

/// One check of a rejected request, as reported outside the backend.
package struct CheckResult: Sendable, Equatable {
    /// A stable name for the API: `expiry`, `password` …
    package let name: String
    /// Display text.
    package let title: String
    package let state: State
    /// What was found, as display text; empty if there is nothing to add.
    package let evidence: String

    /// The outcome; a check after the first failure is skipped.
    package enum State: String, Sendable {
        case passed, failed
        case skipped
    }

    init(_ check: RequestCheck, _ state: State, _ evidence: String) {
        name = check.rawValue
        title = check.texts.title
        self.state = state
        self.evidence = String(evidence.prefix(Self.maxEvidenceLength))
    }

    private static let maxEvidenceLength = 300
}

extension Response {
    /// The message of a rejection in any contract's format; empty if it has none.
    var errorMessage: String {
        guard case .bytes(let bytes) = body else { return "" }
        guard let json = try? JSONReader.read(bytes) else {
            let isText = headers["Content-Type"]?.hasPrefix("text/plain")
            return isText == true
                ? String(decoding: bytes.prefix(200), as: UTF8.self).trimming(" \n") : ""
        }
        return Self.message(json) ?? ""
    }

    /// Members that may contain the message, most specific first.
    private static let messageMembers = ["message", "msg", "error_description", "detail", "error"]

    private static func message(_ json: JSON, depth: Int = 0) -> String? {
        guard depth < 8 else { return nil }
        switch json {
        case .string(let text): return text.isEmpty ? nil : text
        case .array(let elements):
            let messages = elements.prefix(6).compactMap { element in
                message(element, depth: depth + 1).map { text in
                    field(element).map { "\($0): \(text)" } ?? text
                }
            }
            return messages.isEmpty ? nil : messages.joined(separator: "; ")
        case .object:
            if let inner = json["_embedded"]?["errors"], let text = message(inner, depth: depth + 1)
            {
                return text
            }
            if let details = json["details"], case .array = details,
                let text = message(details, depth: depth + 1)
            {
                return text
            }
            for name in messageMembers {
                if let value = json[name], let text = message(value, depth: depth + 1) {
                    return text
                }
            }
            return nil
        default: return nil
        }
    }

    /// The field that an element of an error list refers to.
    private static func field(_ json: JSON) -> String? {
        if let name = json["field"]?.string { return name }
        guard case .array(let path)? = json["loc"] else { return nil }
        return path.last?.string
    }
}
