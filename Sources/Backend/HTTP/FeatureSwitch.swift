import SQLite

/// A contract feature that a workspace can turn on or off, as an administrator of the real server
/// would in its dashboard.
package struct FeatureSwitch: Sendable, Equatable {
    let name: String
    /// Display text: the effect of turning it on.
    let text: String
    let isOnByDefault: Bool

    package init(name: String, text: String, isOnByDefault: Bool) {
        self.name = name
        self.text = text
        self.isOnByDefault = isOnByDefault
    }
}

/// The feature switches of all realms.
package struct FeatureSwitchStore: Sendable {
    let settings: RealmSettings

    init(database: Database) async throws {
        settings = try await RealmSettings("switches", nameColumn: "name", database: database)
    }

    package func isOn(_ featureSwitch: FeatureSwitch, in realm: Realm) -> Bool {
        settings.value(of: featureSwitch.name, in: realm).map { $0 != 0 }
            ?? featureSwitch.isOnByDefault
    }

    func set(_ featureSwitch: FeatureSwitch, isOn: Bool, in realm: Realm) async throws {
        try await settings.set([featureSwitch.name], to: isOn ? 1 : 0, in: realm)
    }
}
