/// A screen's context: app, backend, display settings and links to other screens.
extension ScreenModel {
    struct App: Encodable, Sendable, Equatable {
        /// Names the style sheet, `/assets/apps/<id>/app.css`.
        var id: String
        var name: String
        /// `dark`, `light` or `system`: the manifest's, or the device's if the manifest leaves it
        /// open.
        var appearance: String
        /// For `<meta name="color-scheme">`: `dark`, `light`, `light dark`.
        var colorScheme: String
    }

    /// The backend that the app uses.
    struct Backend: Encodable, Sendable, Equatable {
        /// The manifest's name for it: `staging`.
        var id: String
        var label: String
        /// The base URL of its calls.
        var base: String
        /// `DEV`; nil for none, as in shipped apps.
        var badge: String?
    }

    struct Screen: Encodable, Sendable, Equatable {
        /// The first part of every `data-testid`.
        var id: String
        /// The heading.
        var title: String
        /// The tab's title: what the screen is for, then the app's name
        /// (`Login · Atlas`), since two screens may share a heading.
        var documentTitle: String
        /// `launch`, `form`, `verify`, `home`, `settings`, `page`.
        var kind: String
        /// Whether it is shown in the console's device frame (`Sec-Fetch-Dest: iframe`): the page
        /// leaves space for the status bar and the home indicator.
        var framed = false
        /// The device's text size; nil for the default.
        var textSize: String?
        /// Whether it is a tile of the storyboard: no animations, and no automatic transitions.
        var isStatic = false
    }

    /// A run of text.
    struct TextRun: Encodable, Sendable, Equatable {
        var text: String
        /// Whether it is a variable's value, such as the email address just entered.
        var strong: Bool = false
    }

    /// A link to a screen that replaces this one.
    struct Tab: Encodable, Sendable, Equatable {
        var label: String
        var href: String
        var current: Bool
        /// Whether it is a tab beside a form: it then submits the entered values, so that the other
        /// form starts with them.
        var submitsForm: Bool = false
        /// `<screen>.tab.<other>`
        var testID: String
    }

    /// A link to another screen.
    struct Link: Encodable, Sendable, Equatable {
        var href: String
        var label: String
        /// `<screen>.<name>`
        var testID: String
    }
}
