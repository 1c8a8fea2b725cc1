import Apps
import Simulator

/// The parts of a screen that depend on the device: the biometric sensor and the backend.
extension ScreenBuilder {
    var backend: ScreenModel.Backend? {
        let chosen = status.app.backends.first { $0.id == status.backend }
        return chosen.map {
            ScreenModel.Backend(id: $0.id, label: $0.label, base: status.baseURL, badge: $0.badge)
        }
    }

    /// The biometric prompt before the requested action.
    var prompt: ScreenModel.Prompt? {
        guard let actionName = confirmingAction, let action = screen.action(actionName),
            let biometric = action.biometricCheck, isAvailable(action)
        else { return nil }
        let sensor = status.device.biometrics
        let id = "\(screen.id).\(action.name)"
        let results: [(Device.Biometrics.Result, String)] = [
            (.match, "Matching"), (.noMatch, "Non-matching"),
        ]
        return ScreenModel.Prompt(
            title: sensor.kind.displayName, sensor: sensor.kind.rawValue, text: biometric.reason,
            href: screenLinks.actionURL(screen.id, action.name),
            cancelHref: screenLinks.screenURL(screen.id),
            cancelsByDefault: sensor.nextResult == .cancel,
            samples: results.map { result, prefix in
                .init(
                    label: "\(prefix) \(sensor.kind.sampleNoun)", value: result.rawValue,
                    isDefault: sensor.nextResult == result, testID: "\(id).\(result.rawValue)")
            }, testID: id)
    }
}

extension Device.Biometrics.Kind {
    /// The noun for what the sensor reads, as in the menus of Apple's iOS Simulator.
    fileprivate var sampleNoun: String {
        switch self {
        case .none: ""
        case .touchID: "Touch"
        case .faceID: "Face"
        }
    }
}

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
