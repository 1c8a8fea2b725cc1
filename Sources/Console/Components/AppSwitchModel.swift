import Apps

/// A page's heading that leads to the same page of another app
/// (`parts/appswitch`, over `appSwitch`).
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
    /// Of all apps that run, on `app`'s page; `page` is the same of another.
    init(_ id: String, _ title: String, on app: App, _ services: Services, page: (String) -> String)
    {
        self.init(
            switchID: id, switchTitle: title, switchGlyph: GlyphModel(app),
            apps: services.apps.map { other in
                Link(
                    id: other.id, name: other.name, href: page(other.id), glyph: GlyphModel(other),
                    current: other.id == app.id)
            })
    }
}
