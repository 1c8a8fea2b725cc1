/// What stands in the place of a state that cannot be reached.
struct UnreachableModel: Encodable, Sendable {
    var pageTitle: String
    /// Why not, in a sentence.
    var reason: String
}
