import CMustache

/// Where in a model a value goes: under a key of an object, or at the end of
/// a list (which ignores the key).
struct EncodingTarget {
    var container: OpaquePointer
    var key: String
    /// What is worth writing below it.
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

    /// A whole number without a fraction, as in JSON.
    func set(_ number: Double) {
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
            set(String(whole))
        } else {
            set(String(number))
        }
    }

    /// An object or a list to be filled.
    func open(list: Bool) -> OpaquePointer {
        withKey { key, length in
            guard let made = mustache_add_container(container, key, length, list) else {
                preconditionFailure("no memory for a model")
            }
            return made
        }
    }

    func set<Value: Encodable>(_ value: Value) throws {
        // An array's elements arrive here one by one, most of them text.
        if Value.self == String.self, let text = value as? String { return set(text) }
        assert(
            String(describing: Value.self) != "Date",
            "a model holds times as text, ready to be read")
        try value.encode(to: ModelEncoder(self))
    }

    private func withKey<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
        var key = key
        return key.withUTF8 { body(UnsafeRawBufferPointer($0).cString, $0.count) }
    }
}
