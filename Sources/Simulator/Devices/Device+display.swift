extension Device {
    /// How it shows its apps: the frame, the way it is held, and what its
    /// owner chose in its settings.
    package struct Display: Sendable, Equatable {
        /// `iphone15`, `iphonese`, `ipad` …
        package var size: String
        package var orientation: Orientation
        /// Heard by apps that have both a light and a dark look.
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

        /// `system` is whatever the browser that looks has.
        package enum Appearance: String, Sendable, CaseIterable { case system, light, dark }

        /// Some of iOS's steps, from the smallest.
        package enum TextSize: String, Sendable, CaseIterable {
            case small, `default`, large, extraLarge, accessibilityMedium, accessibilityLarge
        }
    }
}
