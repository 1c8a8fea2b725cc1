/// Something a contract does or does not do, as a workspace wants it: a real
/// server's administrator would set it in a dashboard.
struct FeatureSwitch: Sendable, Equatable {
    let name: String
    /// What it does when it is on, for people.
    let text: String
    let isOnByDefault: Bool
}
