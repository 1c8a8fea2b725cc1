import CMustache

/// Owns the library's data of one rendering after another: most of its memory
/// is taken once.
///
/// `@unchecked Sendable`: whoever holds one uses it alone; `Templates` lends
/// each to one rendering at a time.
final class Model: @unchecked Sendable {
    /// There was no memory for it.
    struct OutOfMemory: Error {}

    let handle: OpaquePointer

    init() throws(OutOfMemory) {
        guard let made = mustache_model_new() else { throw OutOfMemory() }
        handle = made
    }

    deinit { mustache_model_free(handle) }

    /// Of `value` only what is `mentioned`.
    func write(_ value: some Encodable, _ mentioned: ReferencedNames) throws {
        guard let root = mustache_model_root(handle) else { throw OutOfMemory() }
        try EncodingTarget(container: root, key: "", referencedNames: mentioned).set(value)
    }

    /// Ready for another rendering; false if it is not worth keeping.
    func clear() -> Bool { mustache_model_clear(handle) }
}
