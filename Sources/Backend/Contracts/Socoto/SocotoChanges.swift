import FoundationEssentials
import Web

/// What a body wants in a row: values by column, of the columns' types.
struct SocotoChanges: Sendable {
    private var values: [(column: SocotoRow.Column, value: JSON)] = []

    var isEmpty: Bool { values.isEmpty }

    /// The one object of a body.
    init(one request: Request) throws(SocotoRestFailure) {
        let all = try Self.all(request)
        guard let first = all.first else { throw .badBody }
        self = first
    }

    /// The object, or the objects of the array, in a body.
    static func all(_ request: Request) throws(SocotoRestFailure) -> [SocotoChanges] {
        guard let json = try? JSONReader.read(request.body, depth: SocotoBody.depth) else {
            throw .badBody
        }
        var all: [SocotoChanges] = []
        if case .array(let elements) = json {
            for element in elements { all.append(try SocotoChanges(element)) }
        } else {
            all.append(try SocotoChanges(json))
        }
        return all
    }

    private init(_ json: JSON) throws(SocotoRestFailure) {
        guard case .object(let members) = json else { throw .badBody }
        for member in members {
            guard let column = SocotoRow.Column(rawValue: member.name) else {
                throw .unknownColumn(member.name)
            }
            values.append((column, try Self.value(member.value, for: column)))
        }
    }

    /// Throws where the row would then lack what it must have.
    func apply(to row: inout SocotoRow) throws(SocotoRestFailure) {
        for (column, value) in values { row[column] = value }
        for column in SocotoRow.Column.allCases where !column.mayBeNull && row[column] == .null {
            throw .null(column)
        }
        guard row.json.bytes.count <= SocotoPerson.room else { throw .tooLong }
    }

    private static func value(_ json: JSON, for column: SocotoRow.Column) throws(SocotoRestFailure)
        -> JSON
    {
        guard json != .null else { return .null }
        let text = json.text ?? json.description
        switch column.kind {
        case .jsonb: return json
        case .text: return .string(text)
        case .uuid:
            guard let id = Opaque.uuid(reading: text) else { throw .notA(.uuid, text) }
            return .string(id)
        case .time:
            guard let date = SocotoOrder.time(text) else { throw .notA(.time, text) }
            return .string(SocotoRow.time(Moment(date)))
        }
    }
}
