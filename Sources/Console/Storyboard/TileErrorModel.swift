/// A tile without a screen (`storyboard/unreachable`): its state cannot be reached, or its template
/// fails to render.
struct TileErrorModel: Encodable, Sendable {
    var pageTitle: String
    var failure: RenderStatus.Failure
}
