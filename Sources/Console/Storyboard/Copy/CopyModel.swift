/// Every text of an app (`storyboard/copy`, rows in `storyboard/copyrows`).
struct CopyModel: Encodable, Sendable {
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    var appID: String
    /// `212 texts`; `12 of 212 texts` if filtered.
    var totalText: String
    /// No event changes the texts.
    let liveEventKinds = ""
    /// `212`: the unfiltered count.
    var totalCount: String
    var csvURL: String
    var filters: FiltersModel
    /// All, manifest, templates.
    var segments: [FiltersModel.Segment]
    /// Nil if no text matches; `empty` is set then.
    var deck: Deck?
    var empty: EmptyStateModel?
    var frames: [DesignTokensModel.Frame]

    struct Deck: Encodable, Sendable { var rows: [Row] }

    struct Row: Encodable, Sendable {
        var number: String
        var copyText: String
        var kind: String
        /// `app.json5:83`.
        var location: String
        var manifestPath: String?
        var screens: [Screen]
        /// `3 more`; nil for none.
        var moreScreens: String?
        /// The number of characters: `24`.
        var characterCount: String
        /// `3 occurrences`; nil for one.
        var occurrences: String?
        /// A search for the text.
        var occurrencesURL: String
        /// A state that shows the text; nil if there is none.
        var previewURL: String?
        /// Whether it does not match the search.
        var isHidden: Bool
    }

    struct Screen: Encodable, Sendable {
        var screenName: String
        var href: String
    }
}
