import Apps
import Simulator

extension App {
    /// How it looks on a device with `appearance`: only an app that follows
    /// the system has two looks.
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
    /// The ink of the phone's status bar over it, as the console's class.
    var statusBarClass: String {
        switch self {
        case .dark: "on-dark"
        case .light: "on-light"
        case .system: "by-system"
        }
    }
}
