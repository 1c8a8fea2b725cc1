import Apps
import Simulator

extension Situation {
    /// Whether this device may see `action`: a debug build, a sensor.
    func fits(_ action: Action) -> Bool {
        action.needs.allSatisfy { name, value in
            switch name {
            case "build":
                device.build.rawValue == value
            case "biometrics":
                device.biometrics.kind != .none && device.biometrics.enrolled
            default:
                false
            }
        }
    }
}
