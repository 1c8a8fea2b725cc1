import BrowserCapture

extension StartError {
    /// How to come by a Chromium.
    static let noChromium = StartError(
        "Chromium is not installed: none of " + Chromium.executableNames.joined(separator: ", ")
            + " is in PATH. On Debian: apt-get install chromium; elsewhere "
            + "give --chromium FILE.")

    /// Chromium as a whole gave way, at the picture that is named.
    static func chromium(_ error: ScreenshotError, at picture: String? = nil) -> StartError {
        let place = picture.map { " at \($0)" } ?? ""
        let fix = "Try it by hand: chromium --headless --screenshot about:blank"
        return switch error {
        case .notStarted(let reason):
            StartError("Chromium cannot be started (\(reason)); give --chromium another one.")
        case .ended(let words):
            StartError(
                "Chromium ended by itself\(place)" + (words.map { ", saying: \($0)" } ?? ".")
                    + " \(fix)")
        case .timedOut(let time):
            StartError(
                "Chromium did not answer within "
                    + "\(time.components.seconds) s\(place) and was ended. " + fix)
        case .closed: StartError("Chromium was ended before its pictures were taken.")
        case .notLoaded, .badStatus, .commandFailed, .invalidImage:
            StartError(
                "Chromium takes no pictures\(place): "
                    + "\(error.pictureFailureReason ?? "it gave no reason"). \(fix)")
        }
    }
}

extension ScreenshotError {
    /// Why this picture was not taken; nil if none can be taken any more.
    var pictureFailureReason: String? {
        switch self {
        case .notLoaded(let words): "its page did not load: \(words)"
        case .badStatus(let status): "its page was answered with \(status)"
        case .commandFailed(let method, let words): "Chromium refused \(method): \(words)"
        case .invalidImage: "Chromium's picture is not what was asked for"
        case .notStarted, .ended, .timedOut, .closed: nil
        }
    }
}
