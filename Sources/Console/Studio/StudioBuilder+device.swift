import Apps
import Simulator
import Web

/// The device controls below the phone.
extension StudioBuilder {
    /// The choices of an enum whose capitalized raw values serve as names.
    func choices<Word: RawRepresentable & CaseIterable & Equatable>(_ chosen: Word) -> [StudioModel
        .Choice] where Word.RawValue == String
    {
        Word.allCases.map {
            .init(id: $0.rawValue, name: $0.rawValue.capitalizedFirst, chosen: $0 == chosen)
        }
    }

    func biometricChoices(_ device: Device) -> [StudioModel.Choice] {
        let names: [(Device.Biometrics.Kind, String)] = [
            (.none, "None"), (.touchID, "Touch ID"), (.faceID, "Face ID"),
        ]
        return names.map { kind, name in
            .init(id: kind.rawValue, name: name, chosen: device.biometrics.kind == kind)
        }
    }

    /// The names that a phone's settings use, abbreviated to fit.
    func textSizeChoices(_ chosen: Device.Display.TextSize) -> [StudioModel.Choice] {
        Device.Display.TextSize.allCases.map { size in
            let name =
                switch size {
                case .small: "Small"
                case .default: "Default"
                case .large: "Large"
                case .extraLarge: "Extra large"
                case .accessibilityMedium: "Accessibility M"
                case .accessibilityLarge: "Accessibility L"
                }
            return .init(id: size.rawValue, name: name, chosen: size == chosen)
        }
    }

    /// Everything about the device that may affect how a screen is rendered.
    func deviceDisplayKey(of device: Device) -> String {
        [
            device.build.rawValue, device.biometrics.kind.rawValue,
            device.biometrics.isEnrolled ? "enrolled" : "", device.display.appearance.rawValue,
            device.display.textSize.rawValue,
        ].joined(separator: " ")
    }
}
