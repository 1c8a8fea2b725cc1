/// Encodes rows as comma-separated values (RFC 4180).
///
/// A spreadsheet interprets a value that begins with `=`, `+`, `-`, `@`, a tab or a carriage return
/// as a formula. Such values are prefixed with an apostrophe, which makes spreadsheets treat them
/// as text.
enum CSV {
    static func encode(_ rows: [[String]]) -> String {
        rows.map { $0.map(escape).joined(separator: ",") + "\r\n" }.joined()
    }

    static func escape(_ value: String) -> String {
        var value = value
        if let first = value.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
            value = "'" + value
        }
        guard
            value.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) })
                || value.first == " " || value.last == " "
        else { return value }
        return "\"" + value.replacing("\"", with: "\"\"") + "\""
    }
}
