package import FoundationEssentials

/// How a device was, by name: its storage and screens, of all its apps or of
/// one. What the embedded backend knew then is its own half of it.
package struct Snapshot: Sendable, Equatable {
    package var id: String
    /// Its place among the workspace's, for paging.
    package var sequence: Int64
    package var workspace: String
    package var name: String
    package var device: String
    /// The one app it is of; nil for all.
    package var app: String?
    /// Apps that stood somewhere by then.
    package var apps: [String]
    /// The embedded contracts whose half the backend keeps.
    package var contracts: [String]
    package var createdAt: Date
    /// Of the device's half, before it was sealed.
    package var byteCount: Int

    package static let maxNameLength = 80
    /// So many does a workspace keep.
    package static let maxPerWorkspace = 50
    static let maxByteCount = 4 << 20
}
