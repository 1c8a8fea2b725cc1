/// What the frame around every page shows: navigation, clock, live marks.
///
/// It is the property `frame` of every page's model; `layouts/console` and
/// `parts/places` read it. Texts come formatted, times are UTC.
struct FrameModel: Encodable, Sendable {
    /// The document's title, without "Foyer".
    var pageTitle: String
    /// The workspace's time when the page was rendered, ISO 8601 with
    /// milliseconds; scripts take the offset to the visitor's clock from it.
    var now: String
    /// `now` for a person: `14:35:27`.
    var clock: String
    /// What is said of the clock: `real time`, `frozen, +15 min`.
    var clockStatus: String
    /// Whether it shows another time than the real one.
    var isClockMoved: Bool
    var isClockFrozen: Bool
    /// The real time when the page was rendered, ISO 8601.
    var systemNow: String
    /// What forms in the frame carry.
    var csrf: String
    /// This page's address, for forms that come back to it.
    var returnURL: String
    /// The last event's id when the page was rendered: live begins after it.
    var lastEventID: String
    /// Its id, and what people call it.
    var workspace: String
    var workspaceName: String
    /// First letter of that.
    var workspaceInitial: String
    /// Event kinds, separated by spaces, that may change a count.
    var navEventKinds: String
    /// This page's address with its query, ending in `part=`; a part's name
    /// follows: `/sessions?state=active&part=`.
    var partURL: String
    /// The places of the navigation, in order.
    var navItems: [NavItem]
    /// The places of the tab bar on a phone: studio, sessions, traffic, mail.
    var tabs: [NavItem]
    /// Whether `studio.js` is needed.
    var needsStudioScript: Bool
    /// A further script of the page's own: `look.js`.
    var pageScript: String? = nil
    /// What goes wrong on purpose.
    var faultStatus = FaultStatusModel.none
    /// Nil while the clock is the real one, and below a condition's banner.
    var clockBanner: ClockBannerModel?

    struct NavItem: Encodable, Sendable {
        /// `home`, `studio`, `sessions`, `traffic`, `mailbox`, `storyboard`,
        /// `walkthrough`.
        var navID: String
        var name: String
        var href: String
        /// A symbol of `icons.svg`: `home`, `phone`, `key`, `swap`, `flag`.
        var icon: String
        var current: Bool
        /// Whether a gap stands before it (Sessions, Storyboard).
        var startsGroup: Bool
        /// `1,284`; nil shows none.
        var navCount: String?
    }
}
