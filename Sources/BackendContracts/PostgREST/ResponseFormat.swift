import Backend
import TableSchemas
import Web

/// How the rows of a response are written, chosen by the request's `Accept` header.
struct ResponseFormat: Sendable {
    private let kind: Kind
    private let stripsNulls: Bool

    private enum Kind: Sendable { case array, object, csv }

    /// Throws if none of the accepted types is there.
    init(_ request: Request) throws(RestFailure) {
        let accepted = request.headers.all("Accept").joined(separator: ",")
        let types = accepted.isEmpty ? ["*/*"] : accepted.split(separator: ",")
        guard let (kind, stripsNulls) = types.lazy.compactMap(Self.format).first else {
            throw .notAcceptable(accepted)
        }
        (self.kind, self.stripsNulls) = (kind, stripsNulls)
    }

    private static func format(of type: Substring) -> (Kind, stripsNulls: Bool)? {
        let parts = type.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
        let stripsNulls = parts.contains("nulls=stripped")
        return switch parts.first {
        case "*/*", "application/*", "application/json": (.array, false)
        case "application/vnd.pgrst.array", "application/vnd.pgrst.array+json":
            (.array, stripsNulls)
        case "application/vnd.pgrst.object", "application/vnd.pgrst.object+json":
            (.object, stripsNulls)
        case "text/csv": (.csv, false)
        default: nil
        }
    }

    /// `objects` as an array, as a single object, or as CSVText.
    func response(_ objects: [JSON], names: [String], status: Int = 200) throws(RestFailure)
        -> Response
    {
        switch kind {
        case .array:
            guard stripsNulls else { return .json(.array(objects), status: status) }
            return typed(
                .json(.array(objects.map(\.withoutNulls)), status: status),
                "application/vnd.pgrst.array+json;nulls=stripped")
        case .object:
            guard let object = objects.first, objects.count == 1 else {
                throw .notSingleRow(objects.count)
            }
            return typed(
                .json(stripsNulls ? object.withoutNulls : object, status: status),
                "application/vnd.pgrst.object+json" + (stripsNulls ? ";nulls=stripped" : ""))
        case .csv:
            let header = names.map(CSVText.field).joined(separator: ",")
            let lines = objects.map { object in
                object.members.map { CSVText.field(of: $0.value) }.joined(separator: ",")
            }
            let text = objects.isEmpty ? "" : ([header] + lines).joined(separator: "\n")
            return typed(
                Response(status: status, body: .bytes(Array(text.utf8))), "text/csv")
        }
    }

    private func typed(_ response: Response, _ type: String) -> Response {
        var response = response
        response.headers["Content-Type"] = type + "; charset=utf-8"
        return response
    }
}

extension JSON {
    /// Without members that are null, at any depth, as `json_strip_nulls` does it.
    fileprivate var withoutNulls: JSON {
        switch self {
        case .object(let members):
            .object(
                members.filter { $0.value != .null }.map { .init($0.name, $0.value.withoutNulls) })
        case .array(let elements): .array(elements.map(\.withoutNulls))
        default: self
        }
    }
}

/// Comma-separated values (RFC 4180).
enum CSVText {
    static func field(_ text: String) -> String {
        guard text.contains(where: { ",\"\n\r()\\ ".contains($0) }) || text.isEmpty else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// Null is an empty field.
    static func field(of value: JSON) -> String {
        switch value {
        case .null: ""
        case .bool(let flag): flag ? "t" : "f"
        case .array, .object: field(value.description)
        default: field(value.scalarText ?? "")
        }
    }

    /// The records of a text; nil if a quote is not closed.
    static func records(_ text: String) -> [[String]]? {
        var records: [[String]] = [[""]]
        var (isQuoted, isStarted) = (false, false)
        var scalars = text.unicodeScalars[...]
        func append(_ scalar: Unicode.Scalar) {
            let last = records[records.count - 1].count - 1
            records[records.count - 1][last].unicodeScalars.append(scalar)
        }
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"" where isQuoted && scalars.first == "\"":
                scalars.removeFirst()
                append(scalar)
            case "\"": isQuoted.toggle()
            case _ where isQuoted: append(scalar)
            case ",": records[records.count - 1].append("")
            case "\r": break
            case "\n": records.append([""])
            default: append(scalar)
            }
            isStarted = true
        }
        guard !isQuoted, isStarted else { return nil }
        if records.last == [""] { records.removeLast() }
        return records
    }
}
