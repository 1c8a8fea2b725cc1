import Simulator
import Web

/// Changes to a device's display; nil values stay unchanged.
struct DisplayChange: Sendable {
    var size: String?
    var orientation: Device.Display.Orientation?
    var appearance: Device.Display.Appearance?
    var textSize: Device.Display.TextSize?

    /// Reads the fields of a JSON body.
    init(_ body: inout BodyReader) {
        size = body.choice(
            "size", among: DeviceSizes.all.map(\.id), schema: DeviceSizes.schema)
        orientation = body.choice("orientation", of: Device.Display.Orientation.self)
        appearance = body.choice("appearance", of: Device.Display.Appearance.self)
        textSize = body.choice("textSize", of: Device.Display.TextSize.self)
    }

    /// Reads the studio's controls. Throws a `Problem` that names an unknown value.
    init(_ form: Form) throws(Problem) {
        size = try form.choice("size", of: DeviceSizes.all.map(\.id))
        orientation = try form.choice("orientation")
        appearance = try form.choice("appearance")
        textSize = try form.choice("textSize")
    }

    func applied(to display: Device.Display) -> Device.Display {
        Device.Display(
            size: size ?? display.size, orientation: orientation ?? display.orientation,
            appearance: appearance ?? display.appearance, textSize: textSize ?? display.textSize)
    }
}

/// The device sizes a screen can be shown in.
enum DeviceSizes {
    struct Size: Sendable {
        let id: String
        let label: String
        /// In menus of sizes, if it differs: `SE`.
        var shortLabel: String?
        /// Points in portrait; swapped in landscape.
        let width: Int
        let height: Int
    }

    static let all = [
        Size(id: "iphone15", label: "iPhone 15", width: 393, height: 852),
        Size(id: "iphonese", label: "iPhone SE", shortLabel: "SE", width: 375, height: 667),
        Size(
            id: "iphone15promax", label: "iPhone 15 Pro Max", shortLabel: "15 Pro Max", width: 430,
            height: 932),
        Size(
            id: "iphone16promax", label: "iPhone 16 Pro Max", shortLabel: "16 Pro Max", width: 440,
            height: 956),
        Size(
            id: "android", label: "Android medium", shortLabel: "Android", width: 412, height: 915),
        Size(id: "ipad", label: "iPad", width: 820, height: 1_180),
    ]

    /// `device-sizes.css`: the width and height of each size in custom properties.
    static let styleSheet = all.map {
        ".phone-\($0.id) { --w: \($0.width); --h: \($0.height); }\n"
    }.joined()

    static let schema = Schema.choice(all.map(\.id), named: "DeviceSize")

    static func size(_ id: String) -> Size? { all.first { $0.id == id } }
}
