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
