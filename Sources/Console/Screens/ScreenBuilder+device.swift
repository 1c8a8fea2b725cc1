import Apps
import Simulator

/// What a screen shows of the phone it is on: its sensor, and whom it speaks
/// to.
extension ScreenBuilder {
    var backend: ScreenModel.Backend? {
        let chosen = situation.app.backends.first { $0.id == situation.backend }
        return chosen.map {
            ScreenModel.Backend(id: $0.id, label: $0.label, base: situation.base, badge: $0.badge)
        }
    }

    /// The sensor's question before the action asked for.
    var prompt: ScreenModel.Prompt? {
        guard let confirming, let action = screen.action(confirming),
            let biometric = action.biometric, isOffered(action)
        else { return nil }
        let sensor = situation.device.biometrics
        let id = "\(screen.id).\(action.name)"
        let answers: [(Device.Biometrics.Result, String)] = [
            (.match, "Matching"), (.noMatch, "Non-matching"),
        ]
        return ScreenModel.Prompt(
            title: sensor.kind.name, sensor: sensor.kind.rawValue, text: biometric.reason,
            href: addresses.action(screen.id, action.name), cancelHref: addresses.screen(screen.id),
            cancels: sensor.next == .cancel,
            answers: answers.map { answer, word in
                .init(
                    label: "\(word) \(sensor.kind.part)", value: answer.rawValue,
                    preset: sensor.next == answer, testID: "\(id).\(answer.rawValue)")
            }, testID: id)
    }
}

extension Device.Biometrics.Kind {
    /// What is held before it, as the simulator of the phone's maker says.
    fileprivate var part: String {
        switch self {
        case .none: ""
        case .touchID: "Touch"
        case .faceID: "Face"
        }
    }
}
