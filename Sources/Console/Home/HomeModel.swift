/// The home page: entry points and the apps (`home/home`).
///
/// Part: `apps` (`home/apps`).
struct HomeModel: Encodable, Sendable {
    /// `Two apps, one workspace`.
    var heading: String
    /// `2 manifests, reloaded on change`.
    var appsNote: String
    var entryPoints: [EntryPoint]
    var apps: [AppCard]

    struct EntryPoint: Encodable, Sendable {
        var id: String
        var name: String
        var description: String
        /// The link's text: `Open the studio`, `1,284 sessions`.
        var linkText: String
        var href: String
        /// A symbol of `icons.svg`.
        var icon: String
    }

    struct AppCard: Encodable, Sendable {
        var id: String
        var name: String
        var glyph: GlyphModel
        /// CSS hex color behind the glyph if the app provides no cover image.
        var coverBackground: String
        /// `/assets/apps/<id>/cover.svg` if that file exists; else nil.
        var coverURL: String?
        /// The cover image for dark mode, `cover-dark.svg`; nil if there is none.
        var coverDarkURL: String?
        /// `6 screens, 17 states`; `Couldn't load`.
        var sizeText: String
        /// `ok` signed in, `warn` expired, `bad` revoked or broken, `none`
        /// not started or signed out.
        var tone: String
        /// `On map, nora.lind@example.com`.
        var stateText: String
        /// Nil for an app that cannot be read.
        var studioURL: String?
        /// The page with the manifest's errors; nil for an app that runs.
        var problemURL: String?
        var sessionsURL: String
        /// Nil for an app that cannot be read.
        var storyboardURL: String?
        var walkthroughURL: String?
    }
}
