extension App {
    /// What an app's manifest says, field by field; `App` tells what each is.
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
