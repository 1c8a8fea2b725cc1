import Web

/// A user's action on a screen.
package struct Action: Sendable, Equatable {
    /// `submit` for the form's own action.
    package var name: String
    /// May contain `{device.biometrics}`: Face ID or Touch ID.
    package var label: String
    /// The screen reader's hint: `Double tap to login`.
    package var hint: String?
    /// `destructive`, `cancel`, `secondary` …, for styling.
    package var role: String?
    package var enabledRule: EnabledRule
    package var confirmation: Confirmation?
    /// The fields whose rules this action checks; nil means all fields for `submit` and none for
    /// other actions.
    package var checkedFields: [String]?
    /// In order; stops at the first failure of a call that is not best effort.
    package var calls: [String]
    /// Captured names (and constants) to store after success.
    package var namesToStore: [String]
    /// Storage areas to clear after success.
    package var areasToClear: [StorageKey.Area]
    /// Storage keys to delete after success, even keys that survive clearing their area.
    package var keysToClear: [String]
    /// The screen after success. nil stays on the screen; the launch screen runs the launch table
    /// again.
    package var destination: String?
    /// Rules evaluated before `destination`; the first that matches wins. They distinguish, for
    /// example, a registration that returns `session: null`.
    package var navigationRules: [NavigationRule]
    package var toast: String?
    /// Shown below the form after success, until the screen is left.
    package var notice: String?
    /// A dialog after success; its button leads to `destination`.
    package var alert: Alert?
    /// The toast and the navigation happen even if a call failed.
    package var ignoresCallFailures: Bool
    package var onFailure: FailureHandling
    /// Shown only on a matching device: `build: debug`, `biometrics: enrolled`.
    package var deviceRequirements: [String: String]
    /// Names that must have a value, stored or in memory, for it to be shown.
    package var requiredNames: [String]
    /// Shown and focusable, without effect.
    package var isInert: Bool
    /// Asks the biometric sensor first; without a match nothing happens.
    package var biometricCheck: BiometricCheck?
    /// Opens a page first; its result is used by the calls.
    package var browserPage: BrowserPage?
    /// Opens screens that need a session without one, until the next cold start: a developer's
    /// shortcut.
    package var bypassesSession: Bool
    /// By call: when it is not repeated after it succeeded and a later one failed. An account
    /// created by the first of three calls is not created twice.
    package var resumeRules: [String: ResumeRule]
    /// Storage keys of fields, stored before the first call and deleted after success: what was
    /// begun survives a kill.
    package var keysToBegin: [String]
    /// What another action began and this one completes.
    package var finish: Finish?

    init(_ node: ManifestNode, name: String) throws {
        try node.allowOnly([
            "label", "hint", "role", "enabled", "confirm", "checks", "calls", "store", "clear",
            "go", "goWhen", "toast", "notice", "alert", "always", "onFailure", "needs", "inert",
            "biometric", "browser", "bypass", "resume", "begin", "finish", "captured",
        ])
        self.name = try node.identifier(name)
        label = try node.require("label").template(.label)
        hint = try node["hint"]?.text(.hint)
        role = try node["role"]?.string()
        enabledRule = try node["enabled"].map(EnabledRule.init) ?? .always
        confirmation = try node["confirm"].map(Confirmation.init)
        checkedFields = try node["checks"]?.references(.field)
        calls = try node["calls"]?.references(.call) ?? []
        namesToStore = try node["store"]?.references(.stored) ?? []
        let cleared = try node["clear"]?.references(.clearable) ?? []
        areasToClear = cleared.compactMap(StorageKey.Area.init)
        keysToClear = cleared.filter { StorageKey.Area(rawValue: $0) == nil }
        destination = try node["go"]?.reference(.screen)
        toast = try node["toast"]?.template(.toast)
        notice = try node["notice"]?.template(.notice)
        alert = try node["alert"].map(Alert.init)
        ignoresCallFailures = try node["always"]?.bool() ?? false
        deviceRequirements = try node["needs"]?.deviceRequirements() ?? [:]
        requiredNames = try node["captured"]?.references(.held) ?? []
        isInert = try node["inert"]?.bool() ?? false
        biometricCheck = try node["biometric"].map(BiometricCheck.init)
        browserPage = try node["browser"].map(BrowserPage.init)
        onFailure = try FailureHandling(node.object("onFailure"))
        navigationRules = node.navigationRules("goWhen")
        bypassesSession = try node["bypass"]?.bool() ?? false
        resumeRules = try node["resume"]?.resumeRules(for: calls) ?? [:]
        keysToBegin = try node["begin"]?.references(.credentials) ?? []
        finish = try node["finish"].map(Finish.init)
        try node.check(
            !isInert || calls.isEmpty && destination == nil && navigationRules.isEmpty,
            "An inert action cannot have calls or go", "Remove inert, or its calls and go.")
        let prompts = ["confirm", "biometric", "browser"].filter { node[$0] != nil }
        if prompts.count > 1 {
            node[prompts[0]]?.report(
                "An action has one prompt, and \(prompts[1]) is one", "Remove one of them.")
        }
    }

    /// A named action of a screen, other than `submit`.
    static func makeAction(_ node: ManifestNode, _ name: String) throws -> Action {
        try node.check(
            ![submitName, checkName, refreshName].contains(name), "Reserved action name \(name)",
            "Write submit as the screen's submit, or rename the action.")
        return try Action(node, name: name)
    }

    /// Whether the user answers a prompt or a page between the press and the first call.
    package var hasPrompt: Bool { biometricCheck != nil || browserPage != nil }

    /// Every call it can make.
    package var allCalls: [String] {
        calls + (finish?.calls ?? []) + resumeRules.values.flatMap(\.callsOnChange.values).sorted()
    }

    /// The name of the form's own action.
    package static let submitName = "submit"
    /// The last path segment of requests that validate while the user types.
    package static let checkName = "check"
    /// The last path segment of requests that repeat a screen's loads.
    package static let refreshName = "refresh"

    /// When the button is enabled (`enabled`).
    package enum EnabledRule: Sendable, Equatable {
        case always
        /// All fields of the screen pass their rules.
        case valid
        /// The named fields are not empty.
        case filled([String])

        /// `always`, `valid`, or `{ filled: [fields] }`.
        init(_ node: ManifestNode) throws {
            switch node.value {
            case .string("always"): self = .always
            case .string("valid"): self = .valid
            case .object:
                try node.allowOnly(["filled"])
                self = .filled(try node.require("filled").references(.field))
            default:
                throw node.typeError(
                    "'always', 'valid' or fields", example: "{ filled: ['email'] }")
            }
        }
    }

    /// The dialog before the action (`confirm`).
    package struct Confirmation: Sendable, Equatable {
        package var title: String?
        package var text: String
        package var confirmLabel: String
        package var cancelLabel: String

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["title", "text", "yes", "no"])
            title = try node["title"]?.text(.confirm)
            text = try node.require("text").template(.confirm)
            confirmLabel = try node.require("yes").text(.confirm)
            cancelLabel = try node.require("no").text(.confirm)
        }
    }

    /// A row of `goWhen`: another destination if values match.
    package struct NavigationRule: Sendable, Equatable {
        package var conditions: ValueConditions
        package var destination: String
        /// Shown instead of the action's `notice` or `alert`.
        package var notice: String?

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["captured", "missing", "where", "go", "notice"])
            conditions = try ValueConditions(node, present: "captured", .held) {
                try $0.scalarText()
            }
            destination = try node.require("go").reference(.screen)
            notice = try node["notice"]?.text(.notice)
        }
    }

    /// The dialog after the action's success (`alert`).
    package struct Alert: Sendable, Equatable {
        package var title: String?
        package var text: String
        package var buttonLabel: String

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["title", "text", "ok"])
            title = try node["title"]?.text(.alert)
            text = try node.require("text").template(.alert)
            buttonLabel = try node["ok"]?.text(.alert) ?? "OK"
        }
    }

    /// The sensor's prompt before the action (`biometric`).
    package struct BiometricCheck: Sendable, Equatable {
        /// Shown in the sensor's prompt.
        package var reason: String
        /// Shown when the sensor does not match.
        package var failureMessage: String
        /// The storage key whose fields a match provides to the calls.
        package var storageKey: String?
        /// Shown when that key holds nothing.
        package var missingMessage: String?
        /// A match unlocks the storage keys that the cold start locked.
        package var unlocks: Bool

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["reason", "failed", "fill", "missing", "unlock"])
            reason = try node.require("reason").text(.prompt)
            failureMessage = try node.require("failed").text(.failure)
            storageKey = try node["fill"]?.reference(.credentials)
            missingMessage = try node["missing"]?.template(.failure)
            unlocks = try node["unlock"]?.bool() ?? false
            if unlocks { node["unlock"]?.refer(to: "unlock", .locks) }
            try node.check(
                (storageKey == nil) == (missingMessage == nil), "Only one of fill and missing",
                "Add both: missing is the message when nothing is stored.")
        }
    }

    /// What a failure of the action does (`onFailure`).
    package struct FailureHandling: Sendable, Equatable {
        /// Fields cleared when the action fails.
        package var fieldsToClear: [String]
        /// Where the failure is shown.
        package var presentation: Presentation
        package var title: String?
        /// Shown instead of the failure's message, which it can include: `Sign in failed:
        /// {message}`.
        package var text: String?

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["clear", "show", "title", "text"])
            fieldsToClear = try node["clear"]?.references(.field) ?? []
            presentation = try node["show"]?.choice() ?? .inline
            title = try node["title"]?.text(.alert)
            text = try node["text"]?.template(.failure, also: ["message"])
        }

        /// Below the form, or in a dialog.
        package enum Presentation: String, Sendable, CaseIterable { case inline, alert }
    }

    /// Calls that complete what another action began (`finish`).
    package struct Finish: Sendable, Equatable {
        /// The storage key of the begun action's fields, which the calls may use.
        package var storageKey: String
        /// The fields that must have the stored values: the same account.
        package var sharedFields: [String]
        /// Made after the action's own.
        package var calls: [String]

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["key", "same", "calls"])
            storageKey = try node.require("key").reference(.credentials)
            sharedFields = try node.require("same").references(.field)
            calls = try node.require("calls").references(.call)
        }
    }

    /// When a call that already succeeded is not repeated.
    package struct ResumeRule: Sendable, Equatable {
        /// The call is skipped while these fields keep their values.
        package var unchangedFields: [String]
        /// Calls made instead when a field has changed, by field: an account created before gets
        /// another password.
        package var callsOnChange: [String: String]

        /// `[fields]`, or `{ fields: […], changed: { field: 'call' } }`.
        fileprivate init(_ node: ManifestNode) throws {
            callsOnChange = [:]
            if case .array = node.value {
                unchangedFields = try node.references(.field)
                return
            }
            try node.allowOnly(["fields", "changed"])
            unchangedFields = try node.require("fields").references(.field)
            for (name, node) in try node["changed"]?.members() ?? [] {
                try node.check(
                    !unchangedFields.contains(name), "Listed in both fields and changed",
                    "Remove it from fields or from changed.")
                node.refer(to: name, .field)
                callsOnChange[name] = try node.reference(.call)
            }
        }

        /// The part of `values` that the rule depends on.
        package func decidingValues(_ values: [String: String]) -> [String: String] {
            values.filter { unchangedFields.contains($0.key) || callsOnChange[$0.key] != nil }
        }

        /// The calls to make instead of the one made with `before`; nil if it must be repeated.
        package func replacementCalls(before: [String: String], now: [String: String]) -> [String]?
        {
            guard unchangedFields.allSatisfy({ before[$0] == now[$0] }) else { return nil }
            let names = callsOnChange.filter { before[$0.key] != now[$0.key] }
            return Set(names.values).sorted()
        }
    }
}

extension ManifestNode {
    func navigationRules(_ name: String) -> [Action.NavigationRule] {
        list(name, Action.NavigationRule.init)
    }

    /// A list of fields for all of `calls`, or a rule per call.
    fileprivate func resumeRules(for calls: [String]) throws -> [String: Action.ResumeRule] {
        if case .array = value {
            let sharedRule = try Action.ResumeRule(self)
            return Dictionary(calls.map { ($0, sharedRule) }) { $1 }
        }
        for (name, node) in try members() {
            try node.check(
                calls.contains(name), "This action does not make the call \(name)",
                SpellingSuggestion.fix(name, calls))
        }
        return try dictionary { try Action.ResumeRule($0) }
    }

    /// The device properties required for the action to be shown.
    fileprivate func deviceRequirements() throws -> [String: String] {
        let allowed = [
            "build": ["debug", "release"], "biometrics": ["enrolled", "faceID", "touchID", "none"],
        ]
        let requirements = try dictionary { try $0.string() }
        for (name, node) in try members() {
            let values = allowed[name] ?? []
            try node.check(
                !values.isEmpty, "Unknown device property \(name)",
                SpellingSuggestion.fix(name, Array(allowed.keys)))
            let value = requirements[name] ?? ""
            try node.check(
                values.contains(value), "Invalid value of \(name)",
                SpellingSuggestion.fix(value, values))
        }
        return requirements
    }
}
