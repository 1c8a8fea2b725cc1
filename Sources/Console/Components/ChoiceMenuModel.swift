import Apps
import Templates

/// A menu, or a row of links, that chooses one of several values or none.
struct ChoiceMenuModel: Encodable, Sendable {
    /// `app`, `backend`, `size`: a part of test ids.
    var menuID: String
    /// `App`.
    var menuName: String
    /// `All`.
    var chosenName: String
    var options: [LinkModel]
    /// A menu shown in the same list.
    var second: [ChoiceMenuModel] = []

    /// This menu with a second one in its list, whose choice its name contains.
    func with(_ other: ChoiceMenuModel?) -> ChoiceMenuModel {
        guard let other else { return self }
        var menu = self
        menu.second = [other]
        if other.options.first?.current == false { menu.chosenName += ", \(other.chosenName)" }
        return menu
    }
}

/// A link among alternatives.
struct LinkModel: Encodable, Sendable {
    /// Its test id, or the end of it.
    var id: String
    var name: String
    /// Empty for a choice without a count.
    var count = ""
    var href: String
    var current: Bool
}

/// An option of a select list (`parts/option`).
struct ChoiceModel: Encodable, Sendable {
    var value: String
    var label: String
    var chosen: Bool
}

/// A link with a text, or the button of a form that posts to `href`.
struct TextLinkModel: Encodable, Sendable {
    var name: String
    var href: String
}

extension ChoiceMenuModel {
    /// `none` is the choice of no value, followed by `values`; `link` makes the URL that chooses a
    /// value. A chosen value that is not among them is shown as it is.
    init(
        _ id: String, _ name: String, none: (id: String, name: String)? = ("all", "All"),
        of values: [(id: String, name: String)], chosen: String?, count: ((String) -> Int)? = nil,
        link: (String?) -> String
    ) {
        menuID = id
        menuName = name
        chosenName = values.first { $0.id == chosen }?.name ?? chosen ?? none?.name ?? ""
        options = values.map { value in
            .init(
                id: value.id, name: value.name, count: count.map { "\($0(value.id))" } ?? "",
                href: link(value.id), current: value.id == chosen)
        }
        guard let none else { return }
        options.insert(
            .init(id: none.id, name: none.name, href: link(nil), current: chosen == nil), at: 0)
    }
}

/// An app's initial on its background color, shown beside its name.
struct GlyphModel: Encodable, Sendable {
    var letter: String
    /// CSS hex color.
    var background: String
    /// CSS hex color.
    var letterColor: String
}

extension GlyphModel {
    init(_ app: App) { self.init(app.look) }

    init(_ look: App.Look) {
        self.init(
            letter: look.glyph, background: look.background, letterColor: look.foreground)
    }

    /// For the app with this id, which may be unknown.
    init(_ app: App?, id: String) { self = app.map(Self.init) ?? .unknown(id) }

    /// For an app whose manifest is broken.
    init(_ identity: AppIdentity, ofApp id: String) {
        self = identity.look.map(Self.init) ?? .unknown(identity.name ?? id)
    }

    /// For an app that is not known.
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
