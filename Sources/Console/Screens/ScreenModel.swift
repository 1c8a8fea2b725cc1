/// What the template of an app's screen sees: one moment of one screen.
///
/// The same for every app: which of it a template shows is the template's
/// business. An absent value is false in a template, so `{{#failure}}` stands
/// for "if there is one"; names are therefore not looked for further out.
/// Every text is escaped by the template; none of it is HTML.
package struct ScreenModel: Encodable, Sendable, Equatable {
    package var app: App
    package var screen: Screen
    /// The manifest's text, cut where a variable was filled in.
    package var text: [TextRun] = []
    /// By the field's name, so that a template can place each by hand:
    /// `{{#fields}}{{#email}}{{>screens/field}}{{/email}}{{/fields}}`.
    package var fields: [String: ScreenField] = [:]
    /// The same in the manifest's order, for a template that takes them all.
    package var fieldList: [ScreenField] = []
    /// In order, this screen's own among them; empty without tabs.
    package var tabs: [Tab] = []
    package var submit: Submit?
    /// By the action's name (`resend`, `back`, `logout`, `retry`), only those
    /// this device may see. `retry` is the launch again, after a failure.
    package var actions: [String: ScreenAction] = [:]
    /// The same in the manifest's order.
    package var actionList: [ScreenAction] = []
    /// By the link's name in the manifest; `back` is the screen before.
    package var links: [String: Link] = [:]
    /// The same in the manifest's order.
    package var linkList: [Link] = []
    /// What went wrong, shown below the form and read out.
    package var failure: Message?
    /// Good news that stays until the screen is left.
    package var notice: Message?
    /// Good news that leaves by itself after 3 s.
    package var toast: Message?
    /// A dialog with one answer, instead of `failure`; over everything.
    package var alert: Alert?
    /// The question before an action; over everything.
    package var confirm: Confirmation?
    /// The sensor asks, over everything.
    package var prompt: Prompt?
    /// Where the app's calls go.
    package var backend: Backend?
    /// A launch under way: the page goes on by itself.
    package var launching: Launching?
    /// Validation while typing; nil = on submit.
    package var liveValidation: LiveValidation?
    /// A submit is under way: the form rests and its button spins. A page
    /// gets there by its script; this is for pictures of the state.
    package var loading = false
    /// What was captured, by its name in the manifest: `held.user.email`.
    /// Only what is there, so that a template shows nothing it does not know.
    package var captured: [String: CapturedValue] = [:]
    /// The single values of `held` with the path they are found at, for a
    /// template that shows whatever there is.
    package var capturedList: [CapturedText] = []
    /// For the hidden `csrf` of every form.
    package var csrf: String

    package init(app: App, screen: Screen, csrfToken: String) {
        self.app = app
        self.screen = screen
        self.csrf = csrfToken
    }
}
