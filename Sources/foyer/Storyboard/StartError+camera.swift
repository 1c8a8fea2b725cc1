import BrowserCapture

extension StartError {
    /// Explains how to get Chromium.
    static let noChromium = StartError(
        "Chromium is not installed: none of " + Chromium.executableNames.joined(separator: ", ")
            + " is in PATH. On Debian: apt-get install chromium; otherwise use --chromium FILE.")

    /// Chromium failed, at the named picture.
    static func chromium(_ error: ScreenshotError, at picture: String? = nil) -> StartError {
        let suffix = picture.map { " at \($0)" } ?? ""
        let fix = "Try it manually: chromium --headless --screenshot about:blank"
        return switch error {
        case .notStarted(let reason):
            StartError(
                "Chromium could not be started (\(reason)); use another one with --chromium.")
        case .ended(let message):
            StartError("Chromium exited\(suffix)" + (message.map { ": \($0)" } ?? ".") + " \(fix)")
        case .timedOut(let time):
            StartError(
                "Chromium did not respond within \(time.components.seconds) s\(suffix) and was "
                    + "killed. " + fix)
        case .closed: StartError("Chromium was stopped before its screenshots were taken.")
        case .notLoaded, .badStatus, .commandFailed, .invalidImage:
            StartError(
                "Chromium failed to take a screenshot\(suffix): "
                    + "\(error.pictureFailureReason ?? "no reason given"). \(fix)")
        }
    }
}

extension ScreenshotError {
    /// Why this picture was not taken; nil if none can be taken any more.
    var pictureFailureReason: String? {
        switch self {
        case .notLoaded(let message): "its page did not load: \(message)"
        case .badStatus(let status): "its page responded with \(status)"
        case .commandFailed(let method, let message): "Chromium refused \(method): \(message)"
        case .invalidImage: "Chromium's screenshot is invalid"
        case .notStarted, .ended, .timedOut, .closed: nil
        }
    }
}
