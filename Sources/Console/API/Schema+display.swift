import Simulator
import Web

extension Schema {
    /// The display settings of a device.
    static let displayMembers: [(String, JSON)] = [
        ("size", choice(DeviceSizes.all.map(\.id))),
        ("orientation", choice(Device.Display.Orientation.allCases.map(\.rawValue))),
        ("appearance", choice(Device.Display.Appearance.allCases.map(\.rawValue))),
        ("textSize", choice(Device.Display.TextSize.allCases.map(\.rawValue))),
    ]
}
