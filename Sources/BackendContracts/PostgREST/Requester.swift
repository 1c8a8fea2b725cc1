import TableSchemas
import Web

/// The client of a table request, whose rows the rules determine.
struct Requester: Sendable {
    let role: Role
    /// The account of a signed-in user.
    var subject: String?
    var claims: JSON = [:]

    /// The raw value is the token's `role` claim.
    enum Role: String, Sendable {
        case anon
        case authenticated
        case service = "service_role"
    }

    /// Whether the rules of a command allow the row.
    func may(_ command: TableSchema.Command, _ row: [JSON], of schema: TableSchema) -> Bool {
        guard role != .service else { return true }
        return schema.rules[command]?.contains { allows($0, row, schema) } ?? false
    }

    private func allows(_ rule: RowRule, _ row: [JSON], _ schema: TableSchema) -> Bool {
        guard let ruleRole = RowRule.Role(rawValue: role.rawValue), rule.roles.contains(ruleRole)
        else { return false }
        func value(_ column: String) -> JSON { schema.index(of: column).map { row[$0] } ?? .null }
        if let owner = rule.ownerColumn {
            guard let subject, value(owner) == .string(subject) else { return false }
        }
        return rule.claims.allSatisfy { path, text in
            var claim: JSON? = claims
            for name in path.split(separator: ".") { claim = claim?[String(name)] }
            return claim?.scalarText == text
                || claim?.elements.contains { $0.scalarText == text } ?? false
        } && rule.values.allSatisfy { value($0) == $1 }
    }
}
