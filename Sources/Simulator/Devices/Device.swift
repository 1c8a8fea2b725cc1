package import FoundationEssentials

/// A simulated phone: one browser profile in one workspace.
package struct Device: Sendable, Equatable {
    package let id: String
    package let workspace: String
    package var label: String
    package var build: Build
    package var biometrics: Biometrics
    package var display: Display
    package let createdAt: Date
    /// The UUID that the device's apps use (RFC 9562, version 4).
    package let uuid: String

    package enum Build: String, Sendable, CaseIterable { case debug, release }

    /// The biometric sensor and the result of its next prompt.
    package struct Biometrics: Sendable, Equatable {
        package var kind: Kind = .none
        package var isEnrolled: Bool = true
        package var nextResult: Result = .match

        package init(kind: Kind = .none, isEnrolled: Bool = true, nextResult: Result = .match) {
            self.kind = kind
            self.isEnrolled = isEnrolled
            self.nextResult = nextResult
        }

        package enum Kind: String, Sendable, CaseIterable { case none, touchID, faceID }
        package enum Result: String, Sendable, CaseIterable { case match, noMatch, cancel }
    }
}

extension Device {
    /// The device's screen size, orientation, and display settings.
    package struct Display: Sendable, Equatable {
        /// `iphone15`, `iphonese`, `ipad` …
        package var size: String
        package var orientation: Orientation
        /// Used by apps that have both a light and a dark design.
        package var appearance: Appearance
        package var textSize: TextSize

        package init(
            size: String = "iphone15", orientation: Orientation = .portrait,
            appearance: Appearance = .system, textSize: TextSize = .default
        ) {
            self.size = size
            self.orientation = orientation
            self.appearance = appearance
            self.textSize = textSize
        }

        package enum Orientation: String, Sendable, CaseIterable { case portrait, landscape }

        /// `system` follows the browser's setting.
        package enum Appearance: String, Sendable, CaseIterable { case system, light, dark }

        /// Some of iOS's text sizes, from the smallest.
        package enum TextSize: String, Sendable, CaseIterable {
            case small, `default`, large, extraLarge, accessibilityMedium, accessibilityLarge
        }
    }
}
