/// Why no screenshot was taken.
package enum ScreenshotError: Error, Sendable, Equatable {
    /// The system could not start the program.
    case notStarted(reason: String)
    /// The process ended; with its last log line, if any.
    case ended(lastLogLine: String?)
    /// The timeout was exceeded.
    case timedOut(Duration)
    /// DevTools rejected the command; with its message.
    case commandFailed(method: String, message: String)
    /// The page could not be loaded.
    case notLoaded(String)
    case badStatus(Int)
    /// The image is not a PNG of the expected size.
    case invalidImage
    /// The browser was closed meanwhile.
    case closed
}
