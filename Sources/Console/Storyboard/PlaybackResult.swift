/// A played state with its current render status.
struct PlaybackResult: Sendable {
    var recording: StateRecording
    var renderStatus: RenderStatus
}
