/// In how many frames a step is shown side by side.
enum WalkSizes: String, Sendable, CaseIterable {
    case one, three, all

    var name: String {
        switch self {
        case .one: "One size"
        case .three: "Three"
        case .all: "All \(Words.spelled(DeviceSizes.all.count))"
        }
    }

    /// Those beside the one that is used.
    var beside: [DeviceSizes.Size] {
        let others = Array(DeviceSizes.all.dropFirst())
        return switch self {
        case .one: []
        case .three: [DeviceSizes.named("iphonese"), DeviceSizes.named("ipad")].compactMap(\.self)
        case .all: others
        }
    }

    /// As it stands in an address: the usual one is left out.
    var asked: String? { self == .one ? nil : rawValue }
}
