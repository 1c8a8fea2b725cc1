/// A contract feature that a workspace can turn on or off, as an administrator of the real server
/// would in its dashboard.
struct FeatureSwitch: Sendable, Equatable {
    let name: String
    /// Display text: the effect of turning it on.
    let text: String
    let isOnByDefault: Bool
}
