import FoundationEssentials
import Simulator
import Web

extension Device {
    /// The list representation, without cookies.
    var json: JSON {
        [
            "id": .string(id),
            "label": .string(label),
            "build": .string(build.rawValue),
            "biometrics": [
                "kind": .string(biometrics.kind.rawValue), "enrolled": .bool(biometrics.isEnrolled),
                "next": .string(biometrics.nextResult.rawValue),
            ], "size": .string(display.size), "orientation": .string(display.orientation.rawValue),
            "appearance": .string(display.appearance.rawValue),
            "textSize": .string(display.textSize.rawValue), "createdAt": .string(createdAt.iso8601),
        ]
    }
}
