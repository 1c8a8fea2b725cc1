/// A setting of an app as somebody may change it.
package struct CustomSetting: Sendable, Equatable {
    package var name: String
    package var label: String
    package var isSecret: Bool
    /// The value; a secret's first 6 and last 4 characters.
    package var displayValue: String
    /// Whether it is the user's own and not the manifest's.
    package var isCustom: Bool
}
