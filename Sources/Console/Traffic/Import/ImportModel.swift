/// The page that takes an HTTP Archive (`traffic/import`).
struct ImportModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var action: String
    /// `32 MiB`.
    var largest: String
    /// `500 exchanges`.
    var most: String
    /// So many does a workspace keep: `5,000 exchanges`.
    var keeps: String
    /// What was wrong with the file; nil before one came.
    var fault: Fault?

    struct Fault: Encodable, Sendable {
        var faultTitle: String
        var faultText: String
        var anyFaults: Bool
        var faults: [Place]
    }

    struct Place: Encodable, Sendable {
        /// `/log/entries/3/request/url`.
        var faultPlace: String
        var faultDetail: String
    }
}
