/// What PostgreSQL refuses, in its own codes and words.
extension SocotoRestFailure {
    static func columnNotFound(_ name: String) -> SocotoRestFailure {
        SocotoRestFailure(400, "42703", "column profiles.\(name.prefix(60)) does not exist")
    }

    /// The same of a column that a body names.
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

    /// The policies let nobody add a row, and nobody change one into
    /// somebody else's.
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

    /// More than a row has room for, which a real table would check so.
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
