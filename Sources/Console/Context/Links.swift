import Simulator
import Web

/// The only place where the site's paths are spelled.
enum Links {
    static let home = "/"
    static let sessions = "/sessions"
    static let traffic = "/traffic"
    static let mailbox = "/mailbox"
    static let clock = "/clock"
    static let accounts = "/accounts"
    static let workspaces = "/workspaces"

    static func studio(_ app: String) -> String { "/studio/\(app)" }

    static func studio(_ app: String, _ action: String) -> String { "/studio/\(app)/\(action)" }

    /// The events of an app on this device.
    static func timeline(_ app: String) -> String { studio(app, "timeline") }

    /// The API path of a stored item.
    static func storageItem(_ instance: AppInstance, _ key: String) -> String {
        "/api/devices/\(instance.device)/apps/\(instance.app)/storage/"
            + PercentEncoding.encode(key)
    }

    /// The proxy prefix for a real app's calls; the backend's path is appended.
    static func proxy(_ workspace: String, _ app: String) -> String {
        "/proxy/\(workspace)/\(app)"
    }

    static func session(_ id: String) -> String { "/sessions/\(id)" }

    static func exchange(_ id: String) -> String { "/traffic/\(id)" }

    static func event(_ id: Int64) -> String { "/events/\(id)" }

    static func mail(_ id: String) -> String { "/mailbox/\(id)" }

    static func session(_ id: String, _ action: String) -> String { "/sessions/\(id)/\(action)" }

    /// Compares two access tokens of a session by their numbers; nil is the stored one.
    static func tokenComparison(_ id: String, from: Int, to: Int?) -> String {
        url(session(id, "compare"), [("from", String(from)), ("to", to.map { String($0) })])
    }

    static let tokens = "/tokens"

    static func exchange(_ id: String, _ action: String) -> String { "/traffic/\(id)/\(action)" }

    static func mail(_ id: String, _ action: String) -> String { "/mailbox/\(id)/\(action)" }

    static func workspace(_ id: String, _ action: String) -> String {
        "/workspaces/\(id)/\(action)"
    }

    static let trafficArchive = "/traffic/har"
    static let clearTraffic = "/traffic/clear"
    static let importTraffic = "/traffic/import"
    static let importTrafficAPI = "/api/exchanges/import"

    static func exchangeDiff(_ a: String, _ b: String) -> String {
        url("/traffic/diff", [("a", a), ("b", b)])
    }
    static let clearMailbox = "/mailbox/clear"

    static func sessions(ofApp app: String) -> String { url(sessions, [("app", app)]) }

    static func traffic(ofApp app: String) -> String { url(traffic, [("app", app)]) }

    /// The prefix of all files.
    static let assets = "/assets/"
    /// The one script of an app's screens.
    static let screenScript = assets + "screen.js"

    /// A file of an app for use in the console.
    static func appAsset(_ app: String, _ file: String) -> String { assets + "apps/\(app)/\(file)" }

    /// The API call that waits for a mail.
    static let waitForMail = "/api/mailbox/wait"

    /// A page's URL up to the name of a part: `/sessions?state=active&part=`.
    static func partURL(_ path: String, _ items: [(String, String?)]) -> String {
        url(path, items + [("part", "")])
    }

    /// A console path that a form names to return to; nil for anything that could lead to another
    /// site.
    static func validatedBackURL(_ path: String?) -> String? {
        guard let path, path.utf8.count <= 2_048, path.hasPrefix("/"), !path.hasPrefix("//"),
            !path.contains("\\"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return path
    }

    /// `path` with query items; nil values are omitted.
    static func url(_ path: String, _ items: [(String, String?)]) -> String {
        let pairs = items.compactMap { name, value in value.map { (name, $0) } }
        return pairs.isEmpty ? path : path + "?" + Form.encode(pairs)
    }
}
