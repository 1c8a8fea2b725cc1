/// Rows as comma-separated values (RFC 4180).
///
/// A spreadsheet takes a value that begins with `=`, `+`, `-`, `@`, a tab or a
/// carriage return for a formula; such a one is given an apostrophe before it,
/// which spreadsheets show as text.
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
