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
        let activeFaults = try await faultStatus(workspace)
        var banner: ClockBannerModel?
        if !clock.isReal, activeFaults.banner == nil {
            let notes =
                if let note = page.clockNote { [note] } else { try await clockNotes(workspace) }
            banner = ClockBannerModel(clock, notes: notes)
        }
        return FrameModel(
            pageTitle: page.title, clock: ClockStateModel(clock, at: real),
            systemNow: real.iso8601, csrf: context.csrfToken, returnURL: page.url,
            lastEventID: String(hub.lastID(in: workspace)), workspace: workspace,
            workspaceName: name, workspaceInitial: String(name.prefix(1)),
            navEventKinds: Self.countEventKinds.map(\.rawValue).joined(separator: " "),
            partURL: page.partURL, navItems: items,
            tabs: items.filter { Self.tabIDs.contains($0.navID) },
            needsStudioScript: page.needsStudioScript, pageScript: page.script,
            faultStatus: activeFaults, clockBanner: banner)
    }

    /// The items of the tab bar on narrow screens; the others are under More.
    private static let tabIDs = ["studio", "sessions", "traffic", "mailbox"]

    private static let countEventKinds: [Event.Kind] = [
        .exchangeEnded, .exchangesCleared, .sessionBegan, .sessionEnded, .mailReceived,
        .mailboxCleared, .accountAdded, .accountRemoved, .snapshotRestored, .workspaceReset,
    ]

    private func faultStatus(_ workspace: String) async throws -> FaultStatusModel {
        let active = faults.list(in: workspace)
        guard !active.isEmpty else { return .none }
        return FaultStatusModel(active, try await FaultNames(active, in: workspace, self))
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
                navCount: count.flatMap { $0 > 0 ? Format.count($0) : nil })
        }
    }
}
