/// A value of a model that is neither object nor list.
struct ModelSingleValueContainer: SingleValueEncodingContainer {
    let place: Place

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { place.set(false) }
    func encode(_ value: Bool) { place.set(value) }
    func encode(_ value: String) { place.set(value) }
    func encode(_ value: Double) { place.set(value) }
    func encode(_ value: Float) { place.set(String(value)) }
    func encode(_ value: Int) { place.set(String(value)) }
    func encode(_ value: Int8) { place.set(String(value)) }
    func encode(_ value: Int16) { place.set(String(value)) }
    func encode(_ value: Int32) { place.set(String(value)) }
    func encode(_ value: Int64) { place.set(String(value)) }
    func encode(_ value: UInt) { place.set(String(value)) }
    func encode(_ value: UInt8) { place.set(String(value)) }
    func encode(_ value: UInt16) { place.set(String(value)) }
    func encode(_ value: UInt32) { place.set(String(value)) }
    func encode(_ value: UInt64) { place.set(String(value)) }
    func encode(_ value: some Encodable) throws { try place.set(value) }
}
