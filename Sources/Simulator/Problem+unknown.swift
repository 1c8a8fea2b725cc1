import Web

/// Problems for missing resources.
extension Problem {
    /// The resource `name`; its code is `unknown-` and the last word.
    private static func unknown(_ name: String, _ detail: String) -> Problem {
        Problem(
            status: 404, code: "unknown-\(name.split(separator: " ").last ?? "")",
            title: "Unknown \(name)", detail: detail)
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }

    static func unknownDevice(_ id: String) -> Problem {
        unknown("device", "No device of this workspace has the id \(id.prefix(40)).")
    }

    static func unknownApp(_ id: String) -> Problem {
        unknown("app", "No valid manifest has the id \(id.prefix(40)).")
    }

    static func unknownScreen(_ id: String, available: [String]) -> Problem {
        unknown("screen", "The manifest has no screen \(id.prefix(40)); it has \(list(available)).")
    }

    static func unknownAction(_ name: String, on screen: String, available: [String]) -> Problem {
        unknown("action", "\(screen) has no action \(name.prefix(40)); it has \(list(available)).")
    }

    static func unknownKey(_ key: String, available: [String]) -> Problem {
        unknown(
            "storage key", "The manifest declares no \(key.prefix(80)); it has \(list(available)).")
    }

    static func unknownSession(_ id: String) -> Problem {
        unknown("session", "No session of this workspace has the id \(id.prefix(40)).")
    }

    static func unknownWorkspace(_ id: String) -> Problem {
        unknown("workspace", "No workspace has the id \(id.prefix(40)).")
    }

    static func noValueStored(_ key: String) -> Problem {
        Problem(
            status: 404, code: "nothing-stored", title: "No stored value",
            detail: "The app stores nothing under \(key.prefix(80)) now.")
    }

    static func sessionEnded(_ session: Session) -> Problem {
        Problem(
            status: 409, code: "session-ended", title: "The session has ended",
            detail: "It is \(session.state.rawValue): the device no longer stores its tokens.")
    }
}
