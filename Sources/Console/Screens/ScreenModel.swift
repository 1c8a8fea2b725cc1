import Web

/// The template model of an app's screen at one moment.
///
/// It is the same for every app; the template decides what to show of it. An absent value is false
/// in a template, so `{{#failure}}` means "if there is a failure"; names are therefore not looked
/// up in outer contexts. Every text is escaped by the template; none of it is HTML.
struct ScreenModel: Encodable, Sendable, Equatable {
    var app: App
    var screen: Screen
    /// The value of the hidden `csrf` field of every form.
    var csrf: String
    /// The manifest's text, split at variables.
    var text: [TextRun] = []
    /// By the field's name, so that a template can place each one individually:
    /// `{{#fields}}{{#email}}{{>screens/field}}{{/email}}{{/fields}}`.
    var fields: [String: ScreenField] = [:]
    /// The same in the manifest's order, for a template that shows all of them.
    var fieldList: [ScreenField] = []
    /// In order, including this screen; empty without tabs.
    var tabs: [Link] = []
    var submit: ScreenAction?
    /// By the action's name (`resend`, `back`, `logout`, `retry`), only those that this device
    /// supports. `retry` repeats the launch after a failure.
    var actions: [String: ScreenAction] = [:]
    /// The same in the manifest's order.
    var actionList: [ScreenAction] = []
    /// By the link's name in the manifest; `back` is the previous screen.
    var links: [String: Link] = [:]
    /// The same in the manifest's order.
    var linkList: [Link] = []
    /// The error shown below the form and announced by screen readers.
    var failure: Message?
    /// A success message that stays until the screen is left.
    var notice: Message?
    /// A success message that disappears after 3 s.
    var toast: Message?
    /// A dialog with one button, instead of `failure`; on top of everything.
    var alert: Alert?
    /// The confirmation before an action; on top of everything.
    var confirm: Confirmation?
    /// The biometric prompt; on top of everything.
    var prompt: Prompt?
    /// The system's question before the app's browser opens a page; on top of everything.
    var browser: BrowserPrompt?
    /// The result of a page that the app's browser showed, to be posted.
    var returned: Returned?
    /// The control that repeats the screen's loads, if it has any.
    var refresh: Refresh?
    /// The bar above the keyboard.
    var keyboardBar: KeyboardBar?
    /// The backend that receives the app's calls.
    var backend: Backend?
    /// A launch in progress: the page continues by itself.
    var launching: Launching?
    /// Validation while typing; nil to validate on submit.
    var liveValidation: LiveValidation?
    /// A submit in progress: the form is disabled and its button shows a spinner. A page sets this
    /// state by its script; the property is for pictures of the state.
    var loading = false
    /// The captured values by name in the manifest: `captured.user.email`. Absent values are left
    /// out, so that a template shows nothing for them.
    var captured: [String: CapturedValue] = [:]
    /// The scalar values of `captured` with their paths, for a template that shows all of them.
    var capturedList: [CapturedText] = []
}

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
        /// Whether the app is in the background: dimmed, and without effect.
        var inBackground = false
    }

    /// A run of text.
    struct TextRun: Encodable, Sendable, Equatable {
        var text: String
        /// Whether it is a variable's value, such as the email address just entered.
        var strong: Bool = false
    }

    /// A link to another screen.
    struct Link: Encodable, Sendable, Equatable {
        var href: String
        var label: String
        /// `<screen>.<name>`; `<screen>.tab.<other>` for a tab, which replaces this screen.
        var testID: String
        /// Whether it is this screen's tab.
        var current = false
        /// Whether it is a tab beside a form: it then submits the entered values, so that the other
        /// form starts with them.
        var submitsForm = false
    }
}

/// A screen's messages and dialogs.
extension ScreenModel {
    struct Message: Encodable, Sendable, Equatable { var message: String }

    struct Alert: Encodable, Sendable, Equatable {
        var title: String
        var message: String
        /// The label of the only button.
        var buttonLabel: String
        /// GET: the screen without the alert.
        var href: String
    }

    struct Confirmation: Encodable, Sendable, Equatable {
        var title: String
        var text: String
        var confirmLabel: String
        var cancelLabel: String
        /// POST: performs the action.
        var href: String
        /// GET: the screen without the dialog.
        var cancelHref: String
        /// The action's test id; the dialog appends `.confirm`, `.cancel`, `.close` and `.dialog`.
        var testID: String
        var destructive: Bool
        /// It was confirmed and waits for the response.
        var busy: Bool = false
    }

    /// A Face ID or Touch ID prompt.
    struct Prompt: Encodable, Sendable, Equatable {
        /// The sensor's name.
        var title: String
        /// `faceID` or `touchID`, for styling.
        var sensor: String
        /// Why the app asks.
        var text: String
        /// POST with `sensor`: the sensor's result.
        var href: String
        /// GET: the screen without the prompt.
        var cancelHref: String
        /// Whether canceling is this device's default result.
        var cancelsByDefault: Bool
        var samples: [Sample]
        /// The action's test id; the dialog appends `.prompt` and `.cancel`.
        var testID: String

        /// A result that the simulated sensor can return.
        struct Sample: Encodable, Sendable, Equatable {
            var label: String
            /// `match` or `noMatch`.
            var value: String
            /// Whether it is this device's default result.
            var isDefault: Bool
            var testID: String
        }
    }

    /// The question before the app's browser opens a page of another site.
    struct BrowserPrompt: Encodable, Sendable, Equatable {
        var appName: String
        /// The site's host.
        var host: String
        /// GET: the page, at another origin.
        var href: String
        /// GET: the screen without the prompt.
        var cancelHref: String
        /// The action's test id; the dialog appends `.prompt`, `.continue` and `.cancel`.
        var testID: String
    }

    /// The result of a page that the app's browser showed.
    struct Returned: Encodable, Sendable, Equatable {
        /// POST of the items: performs the action.
        var href: String
        var items: [Item]
        var testID: String

        /// A parameter of the URL to which the page returned.
        struct Item: Encodable, Sendable, Equatable {
            var name: String
            var value: String
        }
    }

    struct Refresh: Encodable, Sendable, Equatable {
        /// POST: repeats the loads and redirects to the resulting screen.
        var href: String
        var testID: String
    }

    /// A bar that a script shows while a field has the focus; its button ends the input.
    struct KeyboardBar: Encodable, Sendable, Equatable {
        var label: String
        var testID: String
    }

    struct Launching: Encodable, Sendable, Equatable {
        /// POST: runs the launch table and redirects to the resulting screen.
        var href: String
        /// The progress text, visible or for screen readers only.
        var status: String
        /// Whether the app shows the text beside the spinner.
        var showsStatus: Bool
        /// The form's test id; the text appends `.status`.
        var testID: String
    }

    struct LiveValidation: Encodable, Sendable, Equatable {
        /// POST of the form's fields; responds with `{"errors": {<field>: <text>}}`.
        var href: String
        /// Milliseconds after the last keystroke.
        var delay: Int
        /// Whether only live rules are checked; the others are checked on submit.
        var checksLiveRulesOnly = false
    }
}

/// A captured value for templates: text, a list, or values by name.
enum CapturedValue: Encodable, Sendable, Equatable {
    /// Numbers are converted to text, so that templates show 0.
    case text(String)
    case list([CapturedValue])
    case object([String: CapturedValue])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

/// A captured scalar value with its path: `user.email`.
struct CapturedText: Encodable, Sendable, Equatable {
    var name: String
    var text: String
}

extension CapturedValue {
    /// Nil for null and an empty text, so that a template shows nothing for them.
    init?(_ json: JSON) {
        switch json {
        case .null, .string(""): return nil
        case .array(let elements): self = .list(elements.compactMap(CapturedValue.init))
        case .object(let members):
            var values: [String: CapturedValue] = [:]
            for member in members { values[member.name] = CapturedValue(member.value) }
            self = .object(values)
        case .bool, .int, .double, .string: self = .text(json.scalarText ?? "")
        }
    }

    /// The scalar values by path, sorted by name.
    func texts(at path: String) -> [CapturedText] {
        switch self {
        case .text(let text): text.isEmpty ? [] : [CapturedText(name: path, text: text)]
        case .list(let values):
            values.enumerated().flatMap { $0.element.texts(at: "\(path).\($0.offset)") }
        case .object(let values):
            values.sorted { $0.key < $1.key }.flatMap { $0.value.texts(at: "\(path).\($0.key)") }
        }
    }
}
