/// A setting of an app that the user can change.
package struct CustomSetting: Sendable, Equatable {
    package var name: String
    package var label: String
    package var isSecret: Bool
    /// The value; of a secret the first 6 and last 4 characters.
    package var displayValue: String
    /// Whether the user set it, instead of the manifest.
    package var isCustom: Bool
}
