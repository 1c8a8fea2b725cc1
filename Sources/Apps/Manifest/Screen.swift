import Web

/// A screen of an app; a class for the same reason as `App`.
package final class Screen: Sendable, Equatable {
    package let id: String
    package let kind: Kind
    package let title: String
    /// Text with variables.
    package let text: String?
    /// Names that need a value for `text` to be shown, besides its own variables.
    package let textRequiredNames: [String]
    /// Shown instead of `text` when one of these has no value.
    package let fallbackText: String?
    /// With `session`, the launch table decides which screen to show if there is no session.
    package let requirement: Requirement?
    /// Rules evaluated when the screen is to be shown with a session. The first that matches
    /// decides the screen; a rule with this screen as its destination shows it.
    package let navigationRules: [Action.NavigationRule]
    /// Screens shown together as tabs, in order.
    package let tabs: [String]
    /// In file order.
    package let fields: [Field]
    /// Rules about several fields, checked in order before the fields' own; the first broken one is
    /// the only error.
    package let rules: [FieldsRule]
    /// Where errors of fields are shown.
    package let errorPlacement: ErrorPlacement
    package let validation: Validation
    package let submitAction: Action?
    /// In file order, without `submit`.
    package let actions: [Action]
    /// Links to other screens.
    package let links: [Link]
    /// Best effort calls made when the screen is shown with a session (`me`).
    package let callsOnLoad: [String]
    /// The label of the button above the keyboard that ends the input of a field.
    package let keyboardBarLabel: String?
    /// Whether the message of such a call's failure is shown.
    package let showsLoadFailures: Bool

    init(_ node: ManifestNode, id: String) throws {
        try node.allowOnly([
            "kind", "title", "text", "textNeeds", "textOtherwise", "needs", "tabs", "fields",
            "rules", "errors", "validate", "submit", "actions", "links", "load", "goWhen",
            "keyboardBar", "showsLoadFailure",
        ])
        self.id = try node.identifier(id)
        // Read with recovery, so that their errors do not hide those of fields and actions.
        kind = node.read(or: .page) { try $0.require("kind").choice() }
        title = node.read(or: "") { try $0.require("title").template(.title) }
        text = try node["text"]?.template(.text)
        fallbackText = try node["textOtherwise"]?.template(.text)
        fields = node.members("fields", Field.init)
        rules = node.list("rules", FieldsRule.init)
        submitAction = node["submit"]?.read(or: nil) { try Action($0, name: Action.submitName) }
        actions = node.members("actions", Action.makeAction)
        links = node.members("links", Link.init)
        navigationRules = node.navigationRules("goWhen")
        textRequiredNames = try node["textNeeds"]?.listedReferences(.held) ?? []
        requirement = try node["needs"]?.choice()
        tabs = try node["tabs"]?.listedReferences(.screen) ?? []
        errorPlacement = try node["errors"]?.choice() ?? .field
        validation = try node["validate"].map(Validation.init) ?? .submit
        callsOnLoad = try node["load"]?.references(.call) ?? []
        keyboardBarLabel = try node["keyboardBar"]?.text(.label)
        showsLoadFailures = try node["showsLoadFailure"]?.bool() ?? false
        if requirement == .session { node["needs"]?.refer(to: "accessToken", .session) }
        if text == nil {
            node["textOtherwise"]?.report(
                "Fallback text without text", "Add text, or rename it to text.")
        }
        if keyboardBarLabel != nil, fields.isEmpty {
            node["keyboardBar"]?.report("A keyboard bar without fields", "Remove keyboardBar.")
        }
        if callsOnLoad.isEmpty {
            node["showsLoadFailure"]?.report("No load can fail", "Add load, or remove it.")
        }
        if fallbackText == nil, let name = textRequiredNames.first {
            node["textNeeds"]?.report(
                "No fallback text for a missing \(name)", "Add textOtherwise.")
        }
    }

    package static func == (lhs: Screen, rhs: Screen) -> Bool { lhs === rhs }

    /// Every action, `submit` first.
    package var allActions: [Action] { (submitAction.map { [$0] } ?? []) + actions }

    package func action(_ name: String) -> Action? { allActions.first { $0.name == name } }

    /// The screen's purpose; one of kind `launch` runs the launch table.
    package enum Kind: String, Sendable, CaseIterable {
        case launch, form, verify, home, settings, page
    }

    /// What the screen needs before it can be shown.
    package enum Requirement: String, Sendable, CaseIterable { case session }

    /// `field`: each below its field. `form`: one for the form, where failures are shown.
    package enum ErrorPlacement: String, Sendable, CaseIterable { case field, form }

    /// A rule that each of `fields` must pass.
    package struct FieldsRule: Sendable, Equatable {
        package var fields: [String]
        package var rule: Rule

        init(_ node: ManifestNode) throws {
            fields = try node.require("fields").references(.field)
            rule = try Rule(node, allowing: ["fields"])
            try node.check(!fields.isEmpty, "A rule needs a field", "List its fields in fields.")
        }
    }

    /// When fields are validated.
    package enum Validation: Sendable, Equatable {
        case submit
        /// Milliseconds after the last keystroke.
        case debounce(Int)

        /// `submit`, or `{ debounce: 500 }`.
        init(_ node: ManifestNode) throws {
            switch node.value {
            case .string("submit"): self = .submit
            case .object:
                try node.allowOnly(["debounce"])
                self = .debounce(try node.require("debounce").int(in: 0...10_000))
            default: throw node.typeError("'submit' or an object", example: "{ debounce: 500 }")
            }
        }
    }

    /// A control that leads to another screen.
    package struct Link: Sendable, Equatable {
        package var name: String
        package var screen: String
        package var label: String?

        /// `'screen'`, or `{ screen, label }`.
        init(_ node: ManifestNode, name: String) throws {
            self.name = try node.identifier(name)
            if case .string = node.value {
                screen = try node.reference(.screen)
            } else {
                try node.allowOnly(["screen", "label"])
                screen = try node.require("screen").reference(.screen)
                label = try node["label"]?.text(.link)
            }
        }
    }
}
