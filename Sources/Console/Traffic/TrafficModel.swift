/// The list of exchanges (`traffic/traffic`).
///
/// Parts: `total` (`parts/total`), `segments` (`parts/segments`), `rows`
/// (`traffic/rows`).
struct TrafficModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    /// `128 of 5,000 kept`.
    var totalText: String
    /// All that the filters let through; nil without exchanges.
    var harURL: String?
    /// GET: asks first; nil without exchanges.
    var clearTrafficURL: String?
    var filters: FiltersModel
    /// All, refused, no answer, refresh.
    var segments: [FiltersModel.Segment]
    /// Nil when there is nothing to list; `empty` then says so.
    var traffic: List?
    var empty: EmptyStateModel?
    /// Nil with `traffic`.
    var pager: PagerModel?

    struct List: Encodable, Sendable {
        /// With the properties marked "the list only".
        var exchanges: [ExchangeRowModel]
    }
}
