/// A screen's context: app, backend, display settings and links to other screens.
extension ScreenModel {
    package struct App: Encodable, Sendable, Equatable {
        /// Names the style sheet, `/assets/apps/<id>/app.css`.
        package var id: String
        package var name: String
        /// `dark`, `light` or `system`: the manifest's, or the device's if the manifest leaves it
        /// open.
        package var appearance: String
        /// For `<meta name="color-scheme">`: `dark`, `light`, `light dark`.
        package var colorScheme: String

        package init(id: String, name: String, appearance: String, colorScheme: String) {
            self.id = id
            self.name = name
            self.appearance = appearance
            self.colorScheme = colorScheme
        }
    }

    /// The backend that the app uses.
    package struct Backend: Encodable, Sendable, Equatable {
        /// The manifest's name for it: `staging`.
        package var id: String
        package var label: String
        /// The base URL of its calls.
        package var base: String
        /// `DEV`; nil for none, as in shipped apps.
        package var badge: String?

        package init(id: String, label: String, base: String, badge: String?) {
            self.id = id
            self.label = label
            self.base = base
            self.badge = badge
        }
    }

    package struct Screen: Encodable, Sendable, Equatable {
        /// The first part of every `data-testid`.
        package var id: String
        /// The heading.
        package var title: String
        /// The tab's title: what the screen is for, then the app's name
        /// (`Login · Atlas`), since two screens may share a heading.
        package var documentTitle: String
        /// `launch`, `form`, `verify`, `home`, `settings`, `page`.
        package var kind: String
        /// Whether it is shown in the console's device frame (`Sec-Fetch-Dest: iframe`): the page
        /// leaves space for the status bar and the home indicator.
        package var framed = false
        /// The device's text size; nil for the default.
        package var textSize: String?
        /// Whether it is a tile of the storyboard: no animations, and no automatic transitions.
        package var isStatic = false

        package init(id: String, title: String, documentTitle: String, kind: String) {
            self.id = id
            self.title = title
            self.documentTitle = documentTitle
            self.kind = kind
        }
    }

    /// A run of text.
    package struct TextRun: Encodable, Sendable, Equatable {
        package var text: String
        /// Whether it is a variable's value, such as the email address just entered.
        package var strong: Bool

        package init(_ text: String, strong: Bool = false) {
            self.text = text
            self.strong = strong
        }
    }

    /// A link to a screen that replaces this one.
    package struct Tab: Encodable, Sendable, Equatable {
        package var label: String
        package var href: String
        package var current: Bool
        /// Whether it is a tab beside a form: it then submits the entered values, so that the other
        /// form starts with them.
        package var submitsForm: Bool
        /// `<screen>.tab.<other>`
        package var testID: String

        package init(
            label: String, href: String, current: Bool, submitsForm: Bool = false, testID: String
        ) {
            self.label = label
            self.href = href
            self.current = current
            self.submitsForm = submitsForm
            self.testID = testID
        }
    }

    /// A link to another screen.
    package struct Link: Encodable, Sendable, Equatable {
        package var href: String
        package var label: String
        /// `<screen>.<name>`
        package var testID: String

        package init(href: String, label: String, testID: String) {
            self.href = href
            self.label = label
            self.testID = testID
        }
    }
}
