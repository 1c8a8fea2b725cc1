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
        let types = AcceptedType.list(request.headers.all("Accept").joined(separator: ","))
        guard let (kind, stripsNulls) = types.lazy.compactMap({ Self.format(of: $0.parts) }).first
        else { throw .notAcceptable(types.map(\.name)) }
        (self.kind, self.stripsNulls) = (kind, stripsNulls)
    }

    /// Whether the result must have exactly one row.
    var isSingle: Bool { kind == .object }

    private static func format(of parts: [String]) -> (Kind, stripsNulls: Bool)? {
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

/// A type of an `Accept` header.
private struct AcceptedType {
    /// The type and its parameters.
    let parts: [String]
    /// As PostgREST writes it.
    let name: String

    /// The types of a header, the preferred ones first.
    static func list(_ header: String) -> [AcceptedType] {
        let types = header.split(separator: ",").map { type -> (type: AcceptedType, rank: Rank) in
            var parts = type.split(separator: ";").map(\.trimmingSpaces)
            let quality = parts.firstIndex { $0.hasPrefix("q=") }.map { parts.remove(at: $0) }
            return (
                AcceptedType(parts),
                Rank(
                    quality: quality.flatMap { Double($0.dropFirst(2)) } ?? 1,
                    precision: parts.count - 1 - type.count { $0 == "*" })
            )
        }
        // A stable sort: types of the same rank keep their order.
        let sorted = types.enumerated().sorted { left, right in
            let (a, b) = (left.element.rank, right.element.rank)
            if a.quality != b.quality { return a.quality > b.quality }
            if a.precision != b.precision { return a.precision > b.precision }
            return left.offset < right.offset
        }
        return sorted.isEmpty ? [AcceptedType(["*/*"])] : sorted.map(\.element.type)
    }

    private struct Rank {
        let quality: Double
        /// More parameters and fewer asterisks.
        let precision: Int
    }

    private init(_ parts: [String]) {
        let words = parts.map { $0.filter { $0 != " " }.lowercased() }
        self.parts = words
        let type = words.first ?? ""
        let plan = "application/vnd.pgrst.plan"
        guard type.hasPrefix(plan) else {
            name = parts.joined(separator: ";")
            return
        }
        func parameter(_ name: String) -> String? {
            words.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1).filter {
                $0 != "\""
            }
        }
        name =
            (type == plan ? plan + "+text" : type)
            + "; for=\"\(parameter("for") ?? "application/json")\""
            + (parameter("options").map { "; options=" + $0 } ?? "")
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
