/// A screen of an app.
package struct Screen: Sendable, Equatable {
    package var id: String
    package var kind: Kind
    package var title: String
    /// Text with variables.
    package var text: String?
    /// Names that need a value for `text` to be shown, besides its own variables.
    package var textRequiredNames: [String]
    /// Shown instead of `text` when one of these has no value.
    package var fallbackText: String?
    /// With `session`, the launch table decides which screen to show if there is no session.
    package var requirement: Requirement?
    /// Rules evaluated when the screen is to be shown with a session. The first that matches
    /// decides the screen; a rule with this screen as its destination shows it.
    package var navigationRules: [Action.NavigationRule]
    /// Screens shown together as tabs, in order.
    package var tabs: [String]
    /// In file order.
    package var fields: [Field]
    /// Rules about several fields, checked in order before the fields' own; the first broken one is
    /// the only error.
    package var rules: [FieldsRule]
    /// Where errors of fields are shown.
    package var errorPlacement: ErrorPlacement
    package var validation: Validation
    package var submitAction: Action?
    /// In file order, without `submit`.
    package var actions: [Action]
    /// Links to other screens.
    package var links: [Link]
    /// Best effort calls made when the screen is shown with a session (`me`).
    package var callsOnLoad: [String]

    /// Every action, `submit` first.
    package var allActions: [Action] { (submitAction.map { [$0] } ?? []) + actions }

    package func action(_ name: String) -> Action? { allActions.first { $0.name == name } }

    package enum Kind: String, Sendable, CaseIterable {
        case launch, form, verify, home, settings, page
    }

    package enum Requirement: String, Sendable, CaseIterable { case session }

    /// `field`: each below its field. `form`: one for the form, where failures are shown.
    package enum ErrorPlacement: String, Sendable, CaseIterable { case field, form }

    /// A rule that each of `fields` must pass.
    package struct FieldsRule: Sendable, Equatable {
        package var fields: [String]
        package var rule: Rule
    }

    package enum Validation: Sendable, Equatable {
        case submit
        /// Milliseconds after the last keystroke.
        case debounce(Int)
    }

    package struct Link: Sendable, Equatable {
        package var name: String
        package var screen: String
        package var label: String?
    }
}
