extension App {
    /// The contents of an app's manifest, documented at the properties of `App`.
    struct Contents: Sendable, Equatable {
        var id: String
        var name: String
        var order: Int
        var spec: String?
        var appearance: Appearance
        var look: Look
        var settings: [Setting]
        var backends: [AppBackend]
        var network: Network
        var storage: [StorageKey]
        var calls: [String: Call]
        var session: SessionRules
        var launch: [LaunchRow]
        var screens: [Screen]
        var walkthrough: [WalkthroughEntry]
        var memory: [MemoryKey]
    }
}
