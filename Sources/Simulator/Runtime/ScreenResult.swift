/// The result of opening a screen.
package enum ScreenResult: Sendable {
    /// Shows the screen with this status.
    case show(AppStatus)
    /// Redirects to this screen.
    case redirect(screen: String)
}
