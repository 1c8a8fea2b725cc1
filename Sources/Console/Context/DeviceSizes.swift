/// The device sizes a screen can be shown in.
enum DeviceSizes {
    struct Size: Sendable {
        let id: String
        let label: String
        /// Points in portrait; swapped in landscape.
        let width: Int
        let height: Int

        /// For narrow layouts: `SE`.
        var shortLabel: String {
            switch id {
            case "iphonese": "SE"
            case "iphone15promax": "Pro Max"
            default: label
            }
        }
    }

    static let all = [
        Size(id: "iphone15", label: "iPhone 15", width: 390, height: 844),
        Size(id: "iphonese", label: "iPhone SE", width: 375, height: 667),
        Size(id: "iphone15promax", label: "iPhone 15 Pro Max", width: 430, height: 932),
        Size(id: "ipad", label: "iPad", width: 820, height: 1_180),
    ]

    static func size(_ id: String) -> Size? { all.first { $0.id == id } }
}
