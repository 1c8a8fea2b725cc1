/// Why there is no picture.
package enum CameraError: Error, Sendable, Equatable {
    /// The system would not start the program.
    case notStarted(reason: String)
    /// The process ended; the last thing it said, if anything.
    case ended(lastWords: String?)
    /// It was not done in time.
    case late(Duration)
    /// The DevTools refused, in their words.
    case refused(method: String, words: String)
    /// The page could not be loaded, or was answered with this status.
    case notLoaded(String)
    case status(Int)
    /// The picture is no PNG of the size it should have.
    case notAsked
    /// The camera was put away meanwhile.
    case closed
}
