package import FoundationEssentials

/// A named state of a device: storage and screens of all its apps or of one. The embedded backend's
/// state is stored separately.
package struct Snapshot: Sendable, Equatable {
    package var id: String
    /// The key of pages.
    package var sequence: Int64
    package var workspace: String
    package var name: String
    package var device: String
    /// The snapshot's only app; nil for all.
    package var app: String?
    /// Apps that had been started.
    package var apps: [String]
    /// The embedded contracts whose half the backend stores.
    package var contracts: [String]
    package var createdAt: Date
    /// Size of the device's half before sealing.
    package var byteCount: Int

    package static let maxNameLength = 80
    package static let maxPerWorkspace = 50
    static let maxByteCount = 4 << 20
}

extension Snapshot {
    /// Why `name` is invalid; nil if it is valid.
    package static func validationError(forName name: String) -> String? {
        let isBlank = name.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
        if isBlank { return "is empty" }
        if name.count > maxNameLength { return "is longer than \(maxNameLength) characters" }
        let hasControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? "contains a control character" : nil
    }
}
