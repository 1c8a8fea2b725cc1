/// Why there is no picture.
package enum ScreenshotError: Error, Sendable, Equatable {
    /// The system would not start the program.
    case notStarted(reason: String)
    /// The process ended; the last thing it said, if anything.
    case ended(lastLogLine: String?)
    /// It was not done in time.
    case timedOut(Duration)
    /// The DevTools refused, in their words.
    case commandFailed(method: String, message: String)
    /// The page could not be loaded, or was answered with this status.
    case notLoaded(String)
    case badStatus(Int)
    /// The picture is no PNG of the size it should have.
    case invalidImage
    /// The camera was put away meanwhile.
    case closed
}
