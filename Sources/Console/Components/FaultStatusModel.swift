/// What the frame says of conditions: the banner below the bar, the gauge in
/// the navigation. It is the property `trouble` of the frame; `parts/banner`
/// and `parts/trouble` read it.
struct FaultStatusModel: Encodable, Sendable {
    /// The one that strikes first; nil without any.
    var banner: Banner?
    /// The first three: `Offline · next 2 calls`.
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
        /// What it does, and how much is used.
        var bannerText: String
        /// `and 2 more`; nil for the only one.
        var othersText: String?
        /// POST.
        var turnOffAction: String
    }

    struct Chip: Encodable, Sendable {
        var chipText: String
        var chipIcon: String
    }
}
