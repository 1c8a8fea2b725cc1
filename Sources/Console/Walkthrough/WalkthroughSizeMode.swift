/// The number of frames that show a step side by side.
enum WalkthroughSizeMode: String, Sendable, CaseIterable {
    case one, three, all

    var label: String {
        switch self {
        case .one: "One size"
        case .three: "3 sizes"
        case .all: "All sizes"
        }
    }

    /// The sizes besides the interactive one.
    var additionalSizes: [DeviceSizes.Size] {
        let others = Array(DeviceSizes.all.dropFirst())
        return switch self {
        case .one: []
        case .three: [DeviceSizes.size("iphonese"), DeviceSizes.size("ipad")].compactMap(\.self)
        case .all: others
        }
    }

    /// The value in a URL; nil for the default.
    var queryValue: String? { self == .one ? nil : rawValue }
}
