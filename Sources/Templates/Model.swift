import CMustache

/// Owns the library's data for one rendering after another, so that most of its memory is allocated
/// once.
///
/// `@unchecked Sendable`: used by one rendering at a time; `Templates` lends each model
/// exclusively.
final class Model: @unchecked Sendable {
    struct OutOfMemory: Error {}

    let handle: OpaquePointer

    init() throws(OutOfMemory) {
        guard let model = mustache_model_new() else { throw OutOfMemory() }
        handle = model
    }

    deinit { mustache_model_free(handle) }

    /// Writes the members of `value` that are in `referencedNames`.
    func write(_ value: some Encodable, _ referencedNames: ReferencedNames) throws {
        guard let root = mustache_model_root(handle) else { throw OutOfMemory() }
        try EncodingTarget(container: root, key: "", referencedNames: referencedNames).set(value)
    }

    /// Clears the data for another rendering; false if it is not worth reusing.
    func clear() -> Bool { mustache_model_clear(handle) }
}
