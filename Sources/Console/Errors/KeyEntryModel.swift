/// The page for one who comes without the key (`errors/key` in
/// `layouts/door`): says where the key is, and takes it.
struct KeyEntryModel: Encodable, Sendable {
    var pageTitle: String
    /// `401 Key needed`.
    var kind: String
    /// `Foyer wants its key`; after a wrong one, that it was wrong.
    var title: String
    var detail: String
    /// The printed address without the key: `http://127.0.0.1:7070/?key=…`.
    var exampleURL: String
}
