import Backend

/// PostgreSQL's errors, with its own codes and messages.
extension SocotoRestFailure {
    static func columnNotFound(_ name: String) -> SocotoRestFailure {
        SocotoRestFailure(400, "42703", "column profiles.\(name.prefix(60)) does not exist")
    }

    /// The error for an unknown column in a body.
    static func columnNotInSchemaCache(_ name: String) -> SocotoRestFailure {
        SocotoRestFailure(
            400, "PGRST204",
            "Could not find the '\(name.prefix(60))' column of 'profiles' in the schema cache")
    }

    static func invalidInput(_ kind: SocotoProfileRow.ColumnType, _ text: String)
        -> SocotoRestFailure
    {
        SocotoRestFailure(
            400, kind == .timestamp ? "22007" : "22P02",
            "invalid input syntax for type \(kind.rawValue): \"\(text.prefix(60))\"")
    }

    /// No policy lets a user add a row, or change a row into another user's.
    static func policyViolation(_ role: SocotoAPIKeys.Role) -> SocotoRestFailure {
        SocotoRestFailure(
            role == .anon ? 401 : 403, "42501",
            "new row violates row-level security policy for table \"profiles\"",
            wwwAuthenticate: role == .anon ? "Bearer" : nil)
    }

    static func notNullViolation(_ column: SocotoProfileRow.Column) -> SocotoRestFailure {
        SocotoRestFailure(
            400, "23502",
            "null value in column \"\(column.rawValue)\" of relation "
                + "\"profiles\" violates not-null constraint")
    }

    /// A row that is too large, as a real table's check constraint would report it.
    static let rowTooLong = SocotoRestFailure(
        400, "23514",
        "new row for relation \"profiles\" violates check constraint \"profiles_length_check\""
    )

    static func duplicateID(_ id: String) -> SocotoRestFailure {
        SocotoRestFailure(
            409, "23505", "duplicate key value violates unique constraint \"profiles_pkey\"",
            details: "Key (id)=(\(id)) already exists.")
    }

    static func unknownUser(_ id: String) -> SocotoRestFailure {
        SocotoRestFailure(
            409, "23503",
            "insert or update on table \"profiles\" violates foreign key "
                + "constraint \"profiles_id_fkey\"",
            details: "Key (id)=(\(id)) is not present in table \"users\".")
    }
}
