/// The frame's fault indicators: the banner below the toolbar and the panel in the navigation.
///
/// It is the frame's property `faultStatus`; `parts/banner` and `parts/faults` read it.
struct FaultStatusModel: Encodable, Sendable {
    /// The fault that applies first; nil for none.
    var banner: Banner?
    /// The first three: `Offline · next 2 requests`.
    var faultChips: [Chip]
    /// `and 2 more`; nil with three or fewer.
    var moreText: String?
    /// `2`; nil for none.
    var activeCount: String?

    static let none = FaultStatusModel(faultChips: [])

    struct Banner: Encodable, Sendable {
        /// A symbol of `icons.svg`.
        var bannerIcon: String
        /// `Offline`.
        var bannerName: String
        /// Its effect, and how often it was applied.
        var bannerText: String
        /// `and 2 more`; nil for the only fault.
        var othersText: String?
        /// The URL to POST to.
        var turnOffAction: String
    }

    struct Chip: Encodable, Sendable {
        var chipText: String
        var chipIcon: String
    }
}
