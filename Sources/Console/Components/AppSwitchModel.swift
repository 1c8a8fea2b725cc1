import Apps

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
