/// In how many frames a step is shown side by side.
enum WalkthroughSizeMode: String, Sendable, CaseIterable {
    case one, three, all

    var label: String {
        switch self {
        case .one: "One size"
        case .three: "Three"
        case .all: "All \(Format.spelled(DeviceSizes.all.count))"
        }
    }

    /// Those beside the one that is used.
    var additionalSizes: [DeviceSizes.Size] {
        let others = Array(DeviceSizes.all.dropFirst())
        return switch self {
        case .one: []
        case .three: [DeviceSizes.size("iphonese"), DeviceSizes.size("ipad")].compactMap(\.self)
        case .all: others
        }
    }

    /// As it stands in an address: the usual one is left out.
    var queryValue: String? { self == .one ? nil : rawValue }
}
