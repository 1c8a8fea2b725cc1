import CMustache

/// The position in a model where a value is written: a key of an object, or the end of a list
/// (which ignores the key).
struct EncodingTarget {
    var container: OpaquePointer
    var key: String
    /// The names worth encoding below it.
    var referencedNames: ReferencedNames

    func set(_ text: String) {
        var text = text
        text.withUTF8 { text in
            withKey { key, length in
                mustache_add_text(
                    container, key, length, UnsafeRawBufferPointer(text).cString, text.count)
            }
        }
    }

    func set(_ flag: Bool) {
        withKey { key, length in mustache_add_bool(container, key, length, flag) }
    }

    /// Integral values are written without a fraction, as in JSON.
    func set(_ number: Double) {
        if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 {
            set(String(integer))
        } else {
            set(String(number))
        }
    }

    /// Adds an object or a list to fill.
    func open(list: Bool) -> OpaquePointer {
        withKey { key, length in
            guard let child = mustache_add_container(container, key, length, list) else {
                preconditionFailure("out of memory for a model")
            }
            return child
        }
    }

    func set<Value: Encodable>(_ value: Value) throws {
        // An array's elements are set one by one, and most are text.
        if Value.self == String.self, let text = value as? String { return set(text) }
        assert(
            String(describing: Value.self) != "Date",
            "a model contains times as formatted text")
        try value.encode(to: ModelEncoder(self))
    }

    private func withKey<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
        var key = key
        return key.withUTF8 { body(UnsafeRawBufferPointer($0).cString, $0.count) }
    }
}
