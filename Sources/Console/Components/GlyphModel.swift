import Apps
import Templates

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

extension Services {
    /// A page's heading with a menu of the same page of the other running apps
    /// (`parts/appswitch`, property `appSwitch`); `page` makes the URL for an app's id.
    ///
    /// The menu's links have the test ids `<id>.apps.<app>`.
    func appSwitch(_ id: String, _ title: String, on app: App, page: (String) -> String)
        -> TemplateModel
    {
        [
            "switchID": id, "switchTitle": title, "switchGlyph": GlyphModel(app),
            "apps": appCatalog.apps.map { other -> TemplateModel in
                [
                    "id": other.id, "name": other.name, "href": page(other.id),
                    "glyph": GlyphModel(other), "current": other.id == app.id,
                ]
            },
        ]
    }
}
