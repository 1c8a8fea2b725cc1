/// A state that was played, and what is said of it now.
struct PlaybackResult: Sendable {
    var recording: StateRecording
    var renderStatus: RenderStatus
}
