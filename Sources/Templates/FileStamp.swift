/// What tells one version of a file from the next without reading it.
struct FileStamp: Sendable, Equatable {
    var seconds: Int
    var nanoseconds: Int
    var size: Int
    /// An editor that writes a new file and renames it changes this one.
    var inode: UInt64
}
