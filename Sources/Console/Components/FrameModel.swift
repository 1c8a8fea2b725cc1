import Backend
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Builds the frame of every page: navigation with counts, clock and banners.
extension Services {
    func frame(of page: Page<some Encodable & Sendable>, _ context: RequestContext) async throws
        -> FrameModel
    {
        let workspace = try workspace(of: context)
        let real = world.now()
        let clock = simulator.clocks.clock(of: workspace)
        let name = simulator.displayName(ofWorkspace: workspace)
        let items = try await navItems(page.navItem, workspace)
        let activeFaults = faults.list(in: workspace)
        let faultStatus = FaultStatusModel(
            activeFaults, try await FaultNames(activeFaults, in: workspace, self))
        var clockNote: String?
        if !clock.isReal, activeFaults.isEmpty {
            let notes =
                if let note = page.clockNote { [note] } else { try await clockNotes(workspace) }
            clockNote =
                notes.isEmpty
                ? "Tokens, codes, limits and countdowns of this workspace follow it."
                : notes.joined(separator: " ")
        }
        return FrameModel(
            pageTitle: page.title, clock: ClockStateModel(clock, at: real),
            systemNow: real.iso8601, csrf: context.csrfToken, returnURL: page.url,
            lastEventID: String(hub.lastID(in: workspace)), workspace: workspace,
            workspaceName: name, workspaceInitial: String(name.prefix(1)),
            partURL: page.partURL, navItems: items,
            needsStudioScript: page.needsStudioScript, pageScript: page.script,
            faultStatus: faultStatus, clockNote: clockNote)
    }

    private func navItems(_ current: String, _ workspace: String) async throws -> [FrameModel
        .NavItem]
    {
        let sessions = try await simulator.sessionCount(in: workspace)
        let traffic = try await exchanges.totals(workspace: workspace)
        let mail = try await backend.mailbox.count(workspace: workspace)
        let accounts = try await backend.accountCount(workspace: workspace)
        let studio = firstApp.map { Links.studio($0) } ?? Links.home
        let all: [(String, String, String, String, Int?)] = [
            ("home", "Home", Links.home, "home", nil), ("studio", "Studio", studio, "phone", nil),
            ("sessions", "Sessions", Links.sessions, "key", sessions),
            ("traffic", "Traffic", Links.traffic, "swap", traffic.all),
            ("mailbox", "Mailbox", Links.mailbox, "mail", mail),
            ("accounts", "Accounts", Links.accounts, "user", accounts),
            ("storyboard", "Storyboard", Links.storyboards, "board", nil),
            ("walkthrough", "Walkthrough", Links.walkthroughs, "flag", nil),
        ]
        return all.map { id, name, href, icon, count in
            FrameModel.NavItem(
                navID: id, name: name, href: href, icon: icon, current: id == current,
                startsGroup: ["sessions", "storyboard"].contains(id),
                isTab: ["studio", "sessions", "traffic", "mailbox"].contains(id),
                navCount: count.flatMap { $0 > 0 ? Format.count($0) : nil })
        }
    }
}

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
    /// This page's URL with its query, ending in `part=`, to which a part's name is appended:
    /// `/sessions?state=active&part=`.
    var partURL: String
    /// The navigation's items, in order.
    var navItems: [NavItem]
    /// Whether `studio.js` is needed.
    var needsStudioScript: Bool
    /// An additional script file of the page: `design-tokens.js`.
    var pageScript: String? = nil
    /// The active faults.
    var faultStatus = FaultStatusModel()
    /// What follows a moved clock, or which backends do not: the text of the banner below the
    /// toolbar. Nil while the clock shows the system time, and while a fault's banner is shown.
    var clockNote: String?

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
        /// Whether the tab bar on narrow screens has it; the others are under More.
        var isTab: Bool
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
