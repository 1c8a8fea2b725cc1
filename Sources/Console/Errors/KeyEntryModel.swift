/// The page on which an unauthenticated browser enters the access key (`errors/key` in
/// `layouts/door`).
struct KeyEntryModel: Encodable, Sendable {
    var pageTitle: String
    /// `401 Key needed`.
    var kind: String
    /// `Foyer wants its key`; after a wrong key, `That is not Foyer's key`.
    var title: String
    var detail: String
    /// The printed URL without the key: `http://127.0.0.1:7070/?key=…`.
    var exampleURL: String
}
