import Apps
import Simulator
import Storyboards
import Templates

/// One state on its own, at several sizes (`storyboard/state`).
extension StoryboardState {
    /// The display options, which previous and next keep.
    static let detailParameters = [
        StoryboardQuery.Parameter(name: "size", choices: DeviceSizes.all.map(\.id)),
        .appearance(["both", "light", "dark"]), .textSize,
    ]

    func detail(
        _ result: PlaybackResult, _ states: [StoryboardState], _ graph: ScreenGraph,
        _ query: StoryboardQuery, origin: String
    ) throws -> TemplateModel {
        let board = try StoryboardQuery.board(app)
        let index = states.firstIndex { $0.id == id } ?? 0
        func link(to index: Int) -> TextLinkModel? {
            guard states.indices.contains(index) else { return nil }
            return TextLinkModel(
                name: states[index].fullTitle,
                href: query.link(path: Links.statePage(states[index].id)))
        }
        return [
            "appName": app.name, "boardURL": board.link(selecting: id), "stateTitle": fullTitle,
            "positionText": "\(index + 1) of \(states.count)", "previous": link(to: index - 1),
            "following": link(to: index + 1),
            "menus": [
                query.sizeMenu("size", "Sizes", none: ("all", "All sizes")),
                query.appearanceMenu(for: [app]), query.textSizeMenu,
            ].compactMap(\.self), "replayAction": Links.replayState(app.id, screen.id, name),
            "pageURL": query.link(), "phones": phones(query),
            "panel": panel(result, graph, board, origin: origin),
        ]
    }

    /// The state in the requested sizes and appearances.
    private func phones(_ query: StoryboardQuery) -> [TemplateModel] {
        let appearances: [Device.Display.Appearance] =
            app.appearance != .system
            ? [.system] : query["appearance"] == "both" ? [.light, .dark] : [query.appearance]
        return appearances.flatMap { appearance in
            (query.size.map { [$0] } ?? DeviceSizes.all).map { size in
                let name = appearance == .system ? nil : appearance.rawValue
                let options = [
                    ("size", size.id), ("appearance", name), ("text", query.values["text"]),
                ]
                return app.phone(
                    size, appearance, name: screen.id, note: name, src: Links.tile(id, options)
                ).merging(["pictureURL": Links.statePicture(id, options)])
            }
        }
    }
}

extension App {
    /// A phone that shows a screen in a frame, which `name` and `note` describe.
    func phone(
        _ size: DeviceSizes.Size, _ appearance: Device.Display.Appearance, name: String,
        note: String? = nil, src: String
    ) -> TemplateModel {
        let suffix = note.map { ", \($0)" } ?? ""
        return [
            "sizeID": size.id, "skeleton": GlyphModel(self),
            "statusBarStyle": resolvedAppearance(for: appearance).statusBarClass, "src": src,
            "frameTitle": "\(name) on \(size.label)\(suffix)",
            "caption": "\(size.label), \(size.width) × \(size.height)\(suffix)",
        ]
    }
}
