import Darkroom

extension StartError {
    /// How to come by a Chromium.
    static let noChromium = StartError(
        "Chromium is not installed: none of "
            + Chromium.names.joined(separator: ", ")
            + " is in PATH. On Debian: apt-get install chromium; elsewhere "
            + "give --chromium FILE.")

    /// Chromium as a whole gave way, at the picture that is named.
    static func chromium(
        _ error: CameraError, at picture: String? = nil
    ) -> StartError {
        let place = picture.map { " at \($0)" } ?? ""
        let mend = "Try it by hand: chromium --headless --screenshot "
            + "about:blank"
        return switch error {
        case .notStarted(let reason):
            StartError(
                "Chromium cannot be started (\(reason)); give --chromium "
                    + "another one.")
        case .ended(let words):
            StartError(
                "Chromium ended by itself\(place)"
                    + (words.map { ", saying: \($0)" } ?? ".") + " \(mend)")
        case .late(let time):
            StartError(
                "Chromium did not answer within "
                    + "\(time.components.seconds) s\(place) and was ended. "
                    + mend)
        default:
            StartError(
                "Chromium takes no pictures\(place): \(error). \(mend)")
        }
    }
}
