/// A value of a model that is neither an object nor a list.
struct ModelSingleValueContainer: SingleValueEncodingContainer {
    let target: EncodingTarget

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { target.set(false) }
    func encode(_ value: Bool) { target.set(value) }
    func encode(_ value: String) { target.set(value) }
    func encode(_ value: Double) { target.set(value) }
    func encode(_ value: Float) { target.set(String(value)) }
    func encode(_ value: Int) { target.set(String(value)) }
    func encode(_ value: Int8) { target.set(String(value)) }
    func encode(_ value: Int16) { target.set(String(value)) }
    func encode(_ value: Int32) { target.set(String(value)) }
    func encode(_ value: Int64) { target.set(String(value)) }
    func encode(_ value: UInt) { target.set(String(value)) }
    func encode(_ value: UInt8) { target.set(String(value)) }
    func encode(_ value: UInt16) { target.set(String(value)) }
    func encode(_ value: UInt32) { target.set(String(value)) }
    func encode(_ value: UInt64) { target.set(String(value)) }
    func encode(_ value: some Encodable) throws { try target.set(value) }
}
