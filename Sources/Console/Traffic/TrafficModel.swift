/// The list of exchanges (`traffic/traffic`).
///
/// Parts: `total` (`parts/total`), `segments` (`parts/segments`), `rows` (`traffic/rows`).
struct TrafficModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    /// `128 of 5,000 kept`.
    var totalText: String
    /// Exports the filtered exchanges; nil without exchanges.
    var harURL: String?
    /// GET: asks for confirmation first; nil without exchanges.
    var clearTrafficURL: String?
    var filters: FiltersModel
    /// All, errors, no response, refresh.
    var segments: [FiltersModel.Segment]
    /// Nil when there is nothing to list; `empty` then gives the reason.
    var traffic: List?
    var empty: EmptyStateModel?
    /// Nil if `traffic` is nil.
    var pager: PagerModel?

    struct List: Encodable, Sendable {
        /// With the properties marked "the list only".
        var exchanges: [ExchangeRowModel]
    }
}
