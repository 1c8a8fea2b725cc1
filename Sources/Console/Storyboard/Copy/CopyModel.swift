/// Every text of an app (`storyboard/copy`, rows in `storyboard/copyrows`).
struct CopyModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    var appID: String
    /// `212 texts on 6 screens`; `12 of 212 texts` under a filter.
    var totalText: String
    /// `212`: all there are, whatever is filtered.
    var totalCount: String
    var csvURL: String
    var filters: FiltersModel
    /// All, the manifest's, the templates'.
    var segments: [FiltersModel.Segment]
    /// Nil when nothing fits; `empty` then says so.
    var deck: Deck?
    var empty: EmptyStateModel?
    var frames: [DesignTokensModel.Frame]

    struct Deck: Encodable, Sendable { var rows: [Row] }

    struct Row: Encodable, Sendable {
        var number: String
        var copyText: String
        var kind: String
        /// `app.json5:83`, and the manifest's path in whole.
        var location: String
        var manifestPath: String?
        var screens: [Screen]
        /// `3 more`; nil for none.
        var moreScreens: String?
        /// `24 characters`.
        var characterCount: String
        /// `3 times`; nil for once.
        var occurrences: String?
        /// All that have it.
        var occurrencesURL: String
        /// The state to be looked at for it; nil where none shows it.
        var previewURL: String?
        /// Whether the search leaves it out.
        var isHidden: Bool
    }

    struct Screen: Encodable, Sendable {
        var screenName: String
        var href: String
    }
}
