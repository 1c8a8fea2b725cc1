import Apps
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// A line of an app's debug log on one device, derived from a recorded event.
struct AppLogLine: Encodable, Sendable, Equatable {
    /// The event's id.
    var id: String
    var at: String
    /// `14:34:50.122`.
    var time: String
    var category: Category
    /// Without secrets; the local parts of email addresses are masked.
    var text: String
    var isError = false
    var eventURL: String

    /// What logged it.
    enum Category: String, Encodable, Sendable {
        case app, navigation, action, validation, network, storage, session
    }

    /// Nil for an event that is not the app's own; `base` is that of its calls.
    init?(_ event: Event, base: String) {
        id = String(event.id)
        at = event.at.iso8601
        time = Format.timeOfDayMilliseconds(event.at)
        eventURL = Links.event(event.id)
        text = event.title
        switch event.kind {
        case .appLaunched, .appKilled, .appBackgrounded, .appForegrounded: category = .app
        case .screenShown:
            category = .navigation
            let (from, screen) = (event.details["from"] ?? "", event.subject ?? "")
            text = from.isEmpty || from == screen ? screen : "\(from) → \(screen)"
        case .actionSubmitted: category = .action
        case .actionFailed: (category, isError) = (.action, true)
        case .ruleFailed: (category, isError) = (.validation, true)
        case .exchangeEnded:
            guard let call = Self.callText(event, base: base) else { return nil }
            let status = event.details["status"].flatMap { Int($0) }
            (category, text, isError) = (.network, call, status.map { $0 >= 400 } ?? true)
        case .storageWritten, .storageDeleted:
            category = .storage
            text += ", \(event.details["area"] ?? "")"
        case .sessionBegan, .sessionEnded: category = .session
        case .sessionChanged where event.details["kind"] != "probed": category = .session
        default: return nil
        }
        text = Self.maskingEmails(in: text)
    }

    /// `POST /auth/login 503, 12 ms, attempt 2 (retry)`; nil for a call that a developer sent.
    private static func callText(_ event: Event, base: String) -> String? {
        let details = event.details
        let cause = details["cause"].flatMap(ExchangeContext.Cause.init)
        guard let cause, ![.replay, .probe, .imported].contains(cause) else { return nil }
        // Queries may contain what the user entered.
        let path = (details["path"] ?? "").prefix { $0 != "?" }
        var parts = [
            "\(details["method"] ?? "") \(Format.path(String(path), below: base)) "
                + (details["status"] ?? "no response (\(details["failure"] ?? "unknown"))")
        ]
        if let total = details["total"].flatMap({ Double($0) }) {
            parts.append(Format.milliseconds(total))
        }
        let attempt = details["attempt"].flatMap { Int($0) } ?? 1
        if attempt > 1 { parts.append("attempt \(attempt)") }
        if cause == .retry || cause == .refresh { parts[parts.count - 1] += " (\(cause.rawValue))" }
        return parts.joined(separator: ", ")
    }

    /// `mia@example.com` becomes `m…@example.com`.
    static func maskingEmails(in text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let at = word.lastIndex(of: "@"), let first = word.first, first != "@" else {
                return String(word)
            }
            return "\(first)…\(word[at...])"
        }.joined(separator: " ")
    }

    /// The line as the API returns it.
    var plainText: String { "\(at) [\(category.rawValue)] \(text)\n" }
}

extension Services {
    /// The newest lines of an app's log on a device, oldest first, from the events of its timeline;
    /// nil if it writes none with its backend.
    func appLog(of instance: AppInstance, _ status: AppStatus, limit: Int) -> [AppLogLine]? {
        guard status.chosenBackend?.hasDebugLog == true else { return nil }
        let (events, _) = timelineEvents(of: instance, limit: limit)
        return events.compactMap { AppLogLine($0, base: status.baseURL) }
    }

    /// The log as text; throws a `Problem` if the app writes none.
    func appLogText(of instance: AppInstance, _ status: AppStatus) throws -> String {
        guard let lines = appLog(of: instance, status, limit: 2_000) else {
            throw Problem(
                status: 404, code: "no-log", title: "\(status.app.name) writes no log",
                detail: "The manifest has no debugLog for the backend \(status.backend).")
        }
        return lines.map(\.plainText).joined()
    }
}
