/// Makes identifiers that are easy to read aloud and to select with a double click.
package enum Identifier {
    /// Base 58 (Bitcoin's alphabet): no `0`, `O`, `I`, `l`.
    private static let alphabet = Array(
        "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// `<prefix>_` and one base 58 character for each byte of `bytes`.
    ///
    /// Sixteen bytes give 93 bits, enough that ids are not guessed; even so, an identifier is a
    /// name and never a secret.
    package static func make(prefix: String, bytes: [UInt8]) -> String {
        let tail = bytes.map { alphabet[Int($0) % alphabet.count] }
        return prefix + "_" + String(decoding: tail, as: UTF8.self)
    }
}
