import Apps
import Storyboards

/// A frame that shows a screen in its default state, at the most common phone size.
struct PreviewFrameModel: Encodable, Sendable {
    var frameTitle: String
    var frameName: String
    var src: String
    var href: String

    init(_ app: App, _ screen: String, appearance: String? = nil) {
        let state = StateID(app: app.id, screen: screen, state: "default")
        frameName = [screen, appearance].compactMap(\.self).joined(separator: ", ")
        frameTitle = "\(app.name), \(frameName)"
        src = Self.url(of: state, appearance: appearance)
        href = Links.statePage(state)
    }

    static func url(of state: StateID, appearance: String? = nil) -> String {
        Links.tile(state, [("size", DeviceSizes.all[0].id), ("appearance", appearance)])
    }
}
