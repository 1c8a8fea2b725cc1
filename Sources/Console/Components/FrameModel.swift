import Core
import FoundationEssentials
import Web

/// The frame around every page: navigation, clock and banners.
///
/// It is the property `frame` of every page's model; `layouts/console` and `parts/navitems` read it.
/// Texts are formatted, times are UTC.
struct FrameModel: Encodable, Sendable {
    /// The document's title, without "Foyer".
    var pageTitle: String
    var clock: ClockStateModel
    /// The system time at rendering, ISO 8601.
    var systemNow: String
    /// The CSRF token for forms in the frame.
    var csrf: String
    /// This page's URL, for forms that redirect back to it.
    var returnURL: String
    /// The last event's id at rendering; live updates start after it.
    var lastEventID: String
    /// The workspace's id; `workspaceName` is its display name.
    var workspace: String
    var workspaceName: String
    /// The first letter of `workspaceName`.
    var workspaceInitial: String
    /// Event kinds that may change a count, separated by spaces.
    var navEventKinds: String
    /// This page's URL with its query, ending in `part=`, to which a part's name is appended:
    /// `/sessions?state=active&part=`.
    var partURL: String
    /// The navigation's items, in order.
    var navItems: [NavItem]
    /// The tab bar's items on narrow screens: studio, sessions, traffic, mail.
    var tabs: [NavItem]
    /// Whether `studio.js` is needed.
    var needsStudioScript: Bool
    /// An additional script file of the page: `design-tokens.js`.
    var pageScript: String? = nil
    /// The active faults.
    var faultStatus = FaultStatusModel.none
    /// Nil while the clock shows the system time, and while a fault's banner is shown.
    var clockBanner: ClockBannerModel?

    struct NavItem: Encodable, Sendable {
        /// `home`, `studio`, `sessions`, `traffic`, `mailbox`, `storyboard`, `walkthrough`.
        var navID: String
        var name: String
        var href: String
        /// A symbol of `icons.svg`: `home`, `phone`, `key`, `swap`, `flag`.
        var icon: String
        var current: Bool
        /// Whether a gap precedes it (Sessions, Storyboard).
        var startsGroup: Bool
        /// `1,284`; nil shows none.
        var navCount: String?
    }
}

/// A workspace's clock at rendering.
struct ClockStateModel: Encodable, Sendable {
    /// ISO 8601 with milliseconds; scripts compute the offset to the browser's clock from it.
    var now: String
    /// `now` as displayed: `14:35:27`.
    var time: String
    /// `System time`, `Frozen, +15 min`.
    var status: String
    /// Whether it differs from the system time.
    var isMoved: Bool
    var isFrozen: Bool

    /// `real` is the system time.
    init(_ clock: Clock, at real: Date) {
        let time = clock.time(at: real)
        now = time.iso8601
        self.time = Format.timeOfDay(time)
        status = Format.clockStatus(clock)
        isMoved = !clock.isReal
        isFrozen = clock.frozenAt != nil
    }
}

/// The banner below every page's toolbar while the workspace's clock differs from the system time.
struct ClockBannerModel: Encodable, Sendable {
    /// `Clock: +15 min`, `Clock: Frozen`.
    var clockName: String
    /// What follows the clock, or which backends do not.
    var clockText: String

    /// `notes` describe backends that keep the system time.
    init(_ clock: Clock, notes: [String]) {
        clockName = "Clock: \(Format.clockStatus(clock))"
        clockText =
            notes.isEmpty
            ? "Tokens, codes, limits and countdowns of this workspace follow it."
            : notes.joined(separator: " ")
    }
}
