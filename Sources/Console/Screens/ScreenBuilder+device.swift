import Apps
import Simulator

/// What a screen shows of the phone it is on: its sensor, and whom it speaks
/// to.
extension ScreenBuilder {
    var backend: ScreenModel.Backend? {
        let chosen = status.app.backends.first { $0.id == status.backend }
        return chosen.map {
            ScreenModel.Backend(id: $0.id, label: $0.label, base: status.baseURL, badge: $0.badge)
        }
    }

    /// The sensor's question before the action asked for.
    var prompt: ScreenModel.Prompt? {
        guard let confirming = confirmingAction, let action = screen.action(confirming),
            let biometric = action.biometricCheck, isAvailable(action)
        else { return nil }
        let sensor = status.device.biometrics
        let id = "\(screen.id).\(action.name)"
        let answers: [(Device.Biometrics.Result, String)] = [
            (.match, "Matching"), (.noMatch, "Non-matching"),
        ]
        return ScreenModel.Prompt(
            title: sensor.kind.displayName, sensor: sensor.kind.rawValue, text: biometric.reason,
            href: screenLinks.actionURL(screen.id, action.name),
            cancelHref: screenLinks.screenURL(screen.id),
            cancelsByDefault: sensor.nextResult == .cancel,
            samples: answers.map { answer, word in
                .init(
                    label: "\(word) \(sensor.kind.sampleNoun)", value: answer.rawValue,
                    isDefault: sensor.nextResult == answer, testID: "\(id).\(answer.rawValue)")
            }, testID: id)
    }
}

extension Device.Biometrics.Kind {
    /// What is held before it, as the simulator of the phone's maker says.
    fileprivate var sampleNoun: String {
        switch self {
        case .none: ""
        case .touchID: "Touch"
        case .faceID: "Face"
        }
    }
}
