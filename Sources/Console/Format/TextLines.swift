import Web

/// Parses headers typed one per line, as `Name: value`.
struct HeaderLines {
    private(set) var fields: [Headers.Field] = []
    /// The start of the first line that is not a header.
    private(set) var invalidLine: String?

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                invalidLine = invalidLine ?? String(line.prefix(40))
                continue
            }
            fields.append(
                Headers.Field(
                    name: String(line[..<colon]),
                    value: String(line[line.index(after: colon)...].drop { $0 == " " })))
        }
    }
}

extension JSON {
    /// A string or number as it is, any other value as JSON.
    var displayText: String { scalarText ?? description }
}
