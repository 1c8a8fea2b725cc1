/// A request as it was received.
package struct ScriptedRequest: Sendable {
    package var method: String
    /// As sent: path and query.
    package var target: String
    /// Field lines in order, names as spelled.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Number of the connection it was received on, from 1.
    package var connection: Int

    /// The first value under `name`, which is case-insensitive.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
}
