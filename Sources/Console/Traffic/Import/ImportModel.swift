/// The page that takes an HTTP Archive (`traffic/import`).
struct ImportModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var action: String
    /// `32 MiB`.
    var maxSize: String
    /// `500 exchanges`.
    var maxCount: String
    /// So many does a workspace keep: `5,000 exchanges`.
    var retentionText: String
    /// What was wrong with the file; nil before one came.
    var problem: ImportProblem?

    struct ImportProblem: Encodable, Sendable {
        var problemTitle: String
        var problemText: String
        var hasErrors: Bool
        var errors: [EntryError]
    }

    struct EntryError: Encodable, Sendable {
        /// `/log/entries/3/request/url`.
        var errorPointer: String
        var errorDetail: String
    }
}
