/// The template model of an app's screen at one moment.
///
/// It is the same for every app; the template decides what to show of it. An absent value is false
/// in a template, so `{{#failure}}` means "if there is a failure"; names are therefore not looked
/// up in outer contexts. Every text is escaped by the template; none of it is HTML.
struct ScreenModel: Encodable, Sendable, Equatable {
    var app: App
    var screen: Screen
    /// The manifest's text, split at variables.
    var text: [TextRun] = []
    /// By the field's name, so that a template can place each one individually:
    /// `{{#fields}}{{#email}}{{>screens/field}}{{/email}}{{/fields}}`.
    var fields: [String: ScreenField] = [:]
    /// The same in the manifest's order, for a template that shows all of them.
    var fieldList: [ScreenField] = []
    /// In order, including this screen; empty without tabs.
    var tabs: [Tab] = []
    var submit: Submit?
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
    /// The value of the hidden `csrf` field of every form.
    var csrf: String

    init(app: App, screen: Screen, csrfToken: String) {
        self.app = app
        self.screen = screen
        self.csrf = csrfToken
    }
}
