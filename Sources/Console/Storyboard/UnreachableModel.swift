/// A tile that shows no screen (`storyboard/unreachable`): its state cannot be
/// reached, or its template not be drawn.
struct UnreachableModel: Encodable, Sendable {
    var pageTitle: String
    var lost: Showing.Lost
}
