import Apps
import Simulator

extension App {
    /// The appearance on a device: only an app that follows the system depends on the device's
    /// setting.
    func resolvedAppearance(for appearance: Device.Display.Appearance) -> App.Appearance {
        guard self.appearance == .system else { return self.appearance }
        return switch appearance {
        case .system: .system
        case .light: .light
        case .dark: .dark
        }
    }
}

extension App.Appearance {
    /// The CSS class for the text color of the device's status bar.
    var statusBarClass: String {
        switch self {
        case .dark: "on-dark"
        case .light: "on-light"
        case .system: "by-system"
        }
    }
}
