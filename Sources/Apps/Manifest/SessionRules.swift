package import Web

/// How an app refreshes, checks and ends its session.
package struct SessionRules: Sendable, Equatable {
    /// The call that refreshes the session; nil if the app has none.
    package var refreshCall: String?
    /// Seconds before `exp` at which to refresh; 0 refreshes only after a 401.
    package var refreshLeadSeconds = 0
    /// The call that checks whether the access token is accepted; nil uses the first call that only
    /// reads with it.
    package var probeCall: String?
    /// What to do when the session has expired and cannot be refreshed.
    package var expired: Expiry?
    /// Rules evaluated before those of every screen that needs a session.
    package var navigationRules: [Action.NavigationRule] = []

    init() {}

    init(_ node: ManifestNode) throws {
        try node.allowOnly(["refresh", "refreshBefore", "probe", "expired", "goWhen"])
        refreshCall = try node["refresh"]?.reference(.call)
        refreshLeadSeconds = try node["refreshBefore"]?.int(in: 0...86_400) ?? 0
        probeCall = try node["probe"]?.reference(.call)
        expired = try node["expired"].map(Expiry.init)
        navigationRules = node.navigationRules("goWhen")
        if refreshCall != nil, expired == nil {
            node.report(
                "No rule for a failed refresh", "Add expired: { clear: ['keychain'], go: 'login' }."
            )
        } else if refreshCall == nil, refreshLeadSeconds > 0 {
            node["refreshBefore"]?.report("No refresh call", "Add refresh: 'refresh'.")
        }
    }

    /// What happens when the session is over (`expired`).
    package struct Expiry: Sendable, Equatable {
        package var areasToClear: [StorageKey.Area]
        /// The launch screen runs the launch table again.
        package var destination: String
        package var message: String?
        package var presentation: Action.FailureHandling.Presentation
        package var title: String?

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["clear", "go", "message", "show", "title"])
            areasToClear = try node["clear"]?.choices() ?? []
            destination = try node.require("go").reference(.screen)
            message = try node["message"]?.template(.session)
            presentation = try node["show"]?.choice() ?? .inline
            title = try node["title"]?.text(.session)
        }
    }
}

/// A row of the launch table; the first row whose requirements are met is used.
package struct LaunchRow: Sendable, Equatable {
    /// On captured values in storage: `isAuthenticated: 'true'`.
    package var conditions: ValueConditions
    /// Stored names whose keys are locked, on a device whose sensor can unlock them.
    package var lockedNames: [String]
    /// An access token that has expired or is about to is refreshed first.
    package var refreshesExpiredToken: Bool
    /// Calls made in order before navigating.
    package var calls: [String]
    /// Captured values to store, by name.
    package var namesToStore: [String]
    /// Areas cleared before the row's calls.
    package var areasToClear: [StorageKey.Area]
    package var destination: String
    /// Rules evaluated before `destination`; the first that matches wins.
    package var navigationRules: [Action.NavigationRule]
    /// Failure kind (`unverified`, `offline`, `timeout`, `connection`, `failed`) to a screen, or to
    /// `stay`: the launch screen shows the error and Retry.
    package var onFailure: [String: String]

    init(_ node: ManifestNode) throws {
        try node.allowOnly([
            "stored", "missing", "where", "call", "calls", "store", "clear", "go", "goWhen",
            "onFailure", "refresh", "locked",
        ])
        lockedNames = try node["locked"]?.references(.lockable) ?? []
        conditions = try ValueConditions(node, present: "stored", .stored) { try $0.string() }
        calls = try node["calls"]?.references(.call) ?? []
        if let node = node["call"] { calls.append(try node.reference(.call)) }
        namesToStore = try node["store"]?.references(.stored) ?? []
        areasToClear = try node["clear"]?.choices() ?? []
        destination = try node.require("go").reference(.screen)
        navigationRules = node.navigationRules("goWhen")
        onFailure =
            try node["onFailure"]?.dictionary { node in
                let screen = try node.string()
                return screen == "stay" ? screen : node.refer(to: screen, .screen)
            } ?? [:]
        refreshesExpiredToken = try node["refresh"]?.bool() ?? false
        try node.check(
            node["call"] == nil || node["calls"] == nil, "Both call and calls",
            "Move all to calls.")
    }

    /// Whether the row matches regardless of what is stored.
    var isUnconditional: Bool { summary == nil }

    /// A short description of its conditions, as an edge label; nil without any.
    var summary: String? {
        let parts = lockedNames.map { "\($0) locked" } + [conditions.summary].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// Conditions on the values of names, all of which must be met.
package struct ValueConditions: Sendable, Equatable {
    /// Names that must have a value.
    package var presentNames: [String]
    /// Names that must not have a value.
    package var absentNames: [String]
    /// Required values by name: `emailVerified: 'true'`.
    package var expectedValues: [String: String]

    /// Reads the members `present`, `missing` and `where` of `node`, whose names are references of
    /// `kind`; `read` reads an expected value.
    init(
        _ node: ManifestNode, present: String, _ kind: Reference.Kind,
        _ read: (ManifestNode) throws -> String
    ) throws {
        presentNames = try node[present]?.references(kind) ?? []
        absentNames = try node["missing"]?.references(kind) ?? []
        expectedValues = try node["where"]?.dictionary(of: kind, read) ?? [:]
    }

    /// A short description, as an edge label; nil without conditions.
    var summary: String? {
        let parts =
            presentNames + absentNames.map { "no \($0)" }
            + expectedValues.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Whether they are met by the values that `value` returns; null and an empty text count as
    /// none.
    package func areMet(_ value: (String) -> JSON?) -> Bool {
        func isPresent(_ name: String) -> Bool { ![nil, .null, ""].contains(value(name)) }
        return presentNames.allSatisfy(isPresent) && !absentNames.contains(where: isPresent)
            && expectedValues.allSatisfy { value($0.key)?.scalarText == $0.value }
    }
}
