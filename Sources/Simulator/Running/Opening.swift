/// What a GET of a screen comes to.
package enum Opening: Sendable {
    /// Show it.
    case show(Situation)
    /// Go to this screen instead.
    case redirect(screen: String)
}
