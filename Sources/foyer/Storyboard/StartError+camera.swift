import BrowserCapture

extension StartError {
    /// Explains how to get Chromium.
    static let noChromium = StartError(
        "Chromium is not installed: none of " + Chromium.executableNames.joined(separator: ", ")
            + " is in PATH. On Debian: apt-get install chromium; elsewhere "
            + "give --chromium FILE.")

    /// Chromium failed, at the named picture.
    static func chromium(_ error: ScreenshotError, at picture: String? = nil) -> StartError {
        let suffix = picture.map { " at \($0)" } ?? ""
        let fix = "Try it by hand: chromium --headless --screenshot about:blank"
        return switch error {
        case .notStarted(let reason):
            StartError("Chromium cannot be started (\(reason)); give --chromium another one.")
        case .ended(let message):
            StartError(
                "Chromium ended by itself\(suffix)" + (message.map { ", saying: \($0)" } ?? ".")
                    + " \(fix)")
        case .timedOut(let time):
            StartError(
                "Chromium did not answer within "
                    + "\(time.components.seconds) s\(suffix) and was ended. " + fix)
        case .closed: StartError("Chromium was ended before its pictures were taken.")
        case .notLoaded, .badStatus, .commandFailed, .invalidImage:
            StartError(
                "Chromium takes no pictures\(suffix): "
                    + "\(error.pictureFailureReason ?? "it gave no reason"). \(fix)")
        }
    }
}

extension ScreenshotError {
    /// Why this picture was not taken; nil if none can be taken any more.
    var pictureFailureReason: String? {
        switch self {
        case .notLoaded(let message): "its page did not load: \(message)"
        case .badStatus(let status): "its page was answered with \(status)"
        case .commandFailed(let method, let message): "Chromium refused \(method): \(message)"
        case .invalidImage: "Chromium's picture is not what was asked for"
        case .notStarted, .ended, .timedOut, .closed: nil
        }
    }
}
