/// A screen of an app.
package struct Screen: Sendable, Equatable {
    package var id: String
    package var kind: Kind
    package var title: String
    /// Text with variables.
    package var text: String?
    /// Names that must be known for `text` besides its own variables.
    package var textRequiredNames: [String]
    /// Shown instead of `text` when one of these is not known.
    package var fallbackText: String?
    /// `session`: without one, the launch table decides instead.
    package var requirement: Requirement?
    /// Rows asked when it is to be shown with a session: the first that fits
    /// is shown instead, and one that names this screen lets it be.
    package var navigationRules: [Action.NavigationRule]
    /// Screens shown as tabs of one another, in order.
    package var tabs: [String]
    /// In the order written.
    package var fields: [Field]
    /// Rules about several fields, checked before the fields' own, in order;
    /// the first that is broken is the only error.
    package var rules: [FieldsRule]
    /// Where errors of fields are shown.
    package var errorPlacement: ErrorPlacement
    package var validation: Validation
    package var submitAction: Action?
    /// In the order written, `submit` not among them.
    package var actions: [Action]
    /// Name to screen.
    package var links: [Link]
    /// Calls made when the screen is shown with a session (`me`), best effort.
    package var callsOnLoad: [String]

    /// Every action, `submit` first under the name `submit`.
    package var allActions: [Action] { (submitAction.map { [$0] } ?? []) + actions }

    package func action(_ name: String) -> Action? { allActions.first { $0.name == name } }

    package enum Kind: String, Sendable, CaseIterable {
        case launch, form, verify, home, settings, page
    }

    package enum Requirement: String, Sendable, CaseIterable { case session }

    /// `field`: each below its field. `form`: one for the whole form, where
    /// its failures stand.
    package enum ErrorPlacement: String, Sendable, CaseIterable { case field, form }

    /// A rule that each of `fields` must keep.
    package struct FieldsRule: Sendable, Equatable {
        package var fields: [String]
        package var rule: Rule
    }

    package enum Validation: Sendable, Equatable {
        case submit
        /// Milliseconds after the last key.
        case debounce(Int)
    }

    package struct Link: Sendable, Equatable {
        package var name: String
        package var screen: String
        package var label: String?
    }
}
