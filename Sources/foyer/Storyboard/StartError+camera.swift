import Darkroom

extension StartError {
    /// How to come by a Chromium.
    static let noChromium = StartError(
        "Chromium is not installed: none of " + Chromium.names.joined(separator: ", ")
            + " is in PATH. On Debian: apt-get install chromium; elsewhere "
            + "give --chromium FILE.")

    /// Chromium as a whole gave way, at the picture that is named.
    static func chromium(_ error: CameraError, at picture: String? = nil) -> StartError {
        let place = picture.map { " at \($0)" } ?? ""
        let mend = "Try it by hand: chromium --headless --screenshot about:blank"
        return switch error {
        case .notStarted(let reason):
            StartError("Chromium cannot be started (\(reason)); give --chromium another one.")
        case .ended(let words):
            StartError(
                "Chromium ended by itself\(place)" + (words.map { ", saying: \($0)" } ?? ".")
                    + " \(mend)")
        case .late(let time):
            StartError(
                "Chromium did not answer within "
                    + "\(time.components.seconds) s\(place) and was ended. " + mend)
        case .closed: StartError("Chromium was ended before its pictures were taken.")
        case .notLoaded, .status, .refused, .notAsked:
            StartError(
                "Chromium takes no pictures\(place): "
                    + "\(error.ofOnePicture ?? "it gave no reason"). \(mend)")
        }
    }
}

extension CameraError {
    /// Why this picture was not taken; nil if none can be taken any more.
    var ofOnePicture: String? {
        switch self {
        case .notLoaded(let words): "its page did not load: \(words)"
        case .status(let status): "its page was answered with \(status)"
        case .refused(let method, let words): "Chromium refused \(method): \(words)"
        case .notAsked: "Chromium's picture is not what was asked for"
        case .notStarted, .ended, .late, .closed: nil
        }
    }
}
