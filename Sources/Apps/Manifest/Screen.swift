/// A screen of an app.
package struct Screen: Sendable, Equatable {
    package var id: String
    package var kind: Kind
    package var title: String
    /// Text with variables.
    package var text: String?
    /// `session`: without one, the launch table decides instead.
    package var needs: Need?
    /// Screens shown as tabs of one another, in order.
    package var tabs: [String]
    /// In the order written.
    package var fields: [Field]
    package var validate: Validation
    package var submit: Action?
    /// In the order written, `submit` not among them.
    package var actions: [Action]
    /// Name to screen.
    package var links: [Link]
    /// Calls made when the screen is shown with a session (`me`), best effort.
    package var load: [String]

    /// Every action, `submit` first under the name `submit`.
    package var allActions: [Action] { (submit.map { [$0] } ?? []) + actions }

    package func action(_ name: String) -> Action? {
        allActions.first { $0.name == name }
    }

    package enum Kind: String, Sendable {
        case launch, form, verify, home, settings, page
    }

    package enum Need: String, Sendable { case session }

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
