/// A tile that shows no screen (`storyboard/unreachable`): its state cannot be
/// reached, or its template not be drawn.
struct TileErrorModel: Encodable, Sendable {
    var pageTitle: String
    var failure: RenderStatus.Failure
}
