import Apps

/// An app's initial on its background color, shown beside its name.
struct GlyphModel: Encodable, Sendable {
    var letter: String
    /// CSS hex color.
    var background: String
    /// CSS hex color.
    var letterColor: String
}

extension GlyphModel {
    init(_ app: App) {
        self.init(
            letter: app.look.glyph, background: app.look.background,
            letterColor: app.look.foreground)
    }

    /// For the app with this id, which may be unknown.
    init(_ app: App?, id: String) { self = app.map(Self.init) ?? .unknown(id) }

    /// For an app whose manifest is broken.
    static func unknown(_ id: String) -> GlyphModel {
        GlyphModel(
            letter: id.first.map { String($0).uppercased() } ?? "?", background: "#55524C",
            letterColor: "#FFFFFF")
    }
}

/// A page heading with a menu of the same page of other apps (`parts/appswitch`, property
/// `appSwitch`).
struct AppSwitchModel: Encodable, Sendable {
    /// `storyboard`: its links are `storyboard.apps.<app>`.
    var switchID: String
    /// `Bob storyboard`.
    var switchTitle: String
    var switchGlyph: GlyphModel
    var apps: [Link]

    struct Link: Encodable, Sendable {
        var id: String
        var name: String
        var href: String
        var glyph: GlyphModel
        var current: Bool
    }
}

extension AppSwitchModel {
    /// Lists the running apps, with `app` as the current one; `page` makes the URL for an app's id.
    init(_ id: String, _ title: String, on app: App, _ services: Services, page: (String) -> String)
    {
        self.init(
            switchID: id, switchTitle: title, switchGlyph: GlyphModel(app),
            apps: services.appCatalog.apps.map { other in
                Link(
                    id: other.id, name: other.name, href: page(other.id), glyph: GlyphModel(other),
                    current: other.id == app.id)
            })
    }
}
