import CMustache

/// Owns the library's data of one rendering.
///
/// Used by one task from making to freeing, so it is not `Sendable`.
final class Model {
    /// There was no memory for it.
    struct OutOfMemory: Error {}

    let handle: OpaquePointer

    /// Of `value` only what is `mentioned`.
    init(_ value: some Encodable, _ mentioned: Mentioned) throws {
        guard let made = mustache_model_new() else { throw OutOfMemory() }
        handle = made
        guard let root = mustache_model_root(made) else {
            throw OutOfMemory()
        }
        try Place(container: root, key: "", mentioned: mentioned).set(value)
    }

    deinit { mustache_model_free(handle) }
}
