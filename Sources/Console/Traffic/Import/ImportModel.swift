/// The import page for HTTP Archives (`traffic/import`).
struct ImportModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var action: String
    /// `32 MiB`.
    var maxSize: String
    /// `500 exchanges`.
    var maxCount: String
    /// The retention limit of a workspace: `5,000 exchanges`.
    var retentionText: String
    /// The errors of the last file; nil before an upload.
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
