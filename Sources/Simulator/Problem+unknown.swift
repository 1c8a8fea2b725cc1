import Web

/// Problems for missing resources.
extension Problem {
    static func unknownDevice(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-device", title: "Unknown device",
            detail: "No device of this workspace has the id \(id.prefix(40)).")
    }

    static func unknownApp(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-app", title: "Unknown app",
            detail: "No valid manifest has the id \(id.prefix(40)).")
    }

    static func unknownScreen(_ id: String, available: [String]) -> Problem {
        Problem(
            status: 404, code: "unknown-screen", title: "Unknown screen",
            detail: "The manifest has no screen \(id.prefix(40)); it has "
                + available.joined(separator: ", ") + ".")
    }

    static func unknownAction(_ name: String, on screen: String, available: [String]) -> Problem {
        Problem(
            status: 404, code: "unknown-action", title: "Unknown action",
            detail: "\(screen) has no action \(name.prefix(40)); it has "
                + (available.isEmpty ? "none" : available.joined(separator: ", ")) + ".")
    }

    static func unknownKey(_ key: String, available: [String]) -> Problem {
        Problem(
            status: 404, code: "unknown-key", title: "Unknown storage key",
            detail: "The manifest declares no \(key.prefix(80)); it has "
                + (available.isEmpty ? "none" : available.joined(separator: ", ")) + ".")
    }

    static func noValueStored(_ key: String) -> Problem {
        Problem(
            status: 404, code: "nothing-stored", title: "No stored value",
            detail: "The app stores nothing under \(key.prefix(80)) now.")
    }

    static func unknownSession(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-session", title: "Unknown session",
            detail: "No session of this workspace has the id \(id.prefix(40)).")
    }

    static func sessionEnded(_ session: Session) -> Problem {
        Problem(
            status: 409, code: "session-ended", title: "The session has ended",
            detail: "It is \(session.state.rawValue): the device no longer "
                + "stores its tokens.")
    }

    static func unknownWorkspace(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-workspace", title: "Unknown workspace",
            detail: "No workspace has the id \(id.prefix(40)).")
    }
}
