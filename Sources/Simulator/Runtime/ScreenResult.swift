/// What a GET of a screen comes to.
package enum ScreenResult: Sendable {
    /// Show it.
    case show(AppStatus)
    /// Go to this screen instead.
    case redirect(screen: String)
}
