import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// Makes the frame of every page: navigation with its counts, the clock.
struct FrameBuilder: Sendable {
    let services: Services

    /// `partURL` is the page's address up to a part's name; `script` a file of
    /// the page's own, `clockNote` what it has to say of a moved clock.
    func frame(
        _ title: String, place: String, workspace: String, csrf: String, partURL: String,
        studioScript: Bool = false, script: String? = nil, clockNote: String? = nil
    ) async throws -> FrameModel {
        let real = services.world.now()
        let clock = services.simulator.clocks.clock(of: workspace)
        let now = clock.time(at: real)
        let name = services.simulator.name(ofWorkspace: workspace)
        let places = try await places(place, workspace)
        let trouble = try await trouble(workspace)
        var banner: ClockBannerModel?
        if !clock.isReal, trouble.banner == nil {
            let notes =
                if let clockNote { [clockNote] } else { try await services.clockNotes(workspace) }
            banner = ClockBannerModel(clock, notes: notes)
        }
        return FrameModel(
            pageTitle: title, now: now.iso8601, clock: Words.clock(now),
            clockNote: Words.standing(clock), clockMoved: !clock.isReal,
            clockFrozen: clock.frozenAt != nil, realNow: real.iso8601, csrf: csrf,
            backURL: Self.page(partURL), liveAfter: String(services.hub.lastID(in: workspace)),
            workspace: workspace, workspaceName: name, workspaceLetter: String(name.prefix(1)),
            placeKinds: Self.countKinds.map(\.rawValue).joined(separator: " "), partURL: partURL,
            places: places, tabs: places.filter { Self.tabs.contains($0.placeID) },
            studioScript: studioScript, pageScript: script, trouble: trouble, clockBanner: banner)
    }

    /// A page's address from that of its parts.
    private static func page(_ partURL: String) -> String {
        String(partURL.dropLast("part=".count + 1))
    }
    /// What stands in the tab bar of a phone; the rest is under More.
    private static let tabs = ["studio", "sessions", "traffic", "mailbox"]

    private static let countKinds: [Event.Kind] = [
        .exchange, .exchangesForgotten, .sessionBegan, .sessionEnded, .mail,
        .mailForgotten, .accountAdded, .accountRemoved, .snapshotRestored,
        .reset,
    ]

    private func trouble(_ workspace: String) async throws -> TroubleModel {
        let active = services.conditions.list(in: workspace)
        guard !active.isEmpty else { return .none }
        return TroubleModel(active, try await ConditionNames(active, in: workspace, services))
    }

    private func places(_ current: String, _ workspace: String) async throws -> [FrameModel.Place] {
        let sessions = try await services.simulator.sessionCount(in: workspace)
        let traffic = try await services.exchanges.totals(workspace: workspace)
        let mail = try await services.backend.mailbox.count(workspace: workspace)
        let accounts = try await services.backend.accountCount(workspace: workspace)
        let studio = services.firstApp.map(Links.studio) ?? Links.home
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
            FrameModel.Place(
                placeID: id, name: name, href: href, icon: icon, current: id == current,
                opensGroup: ["sessions", "storyboard"].contains(id),
                placeCount: count.flatMap { $0 > 0 ? Words.count($0) : nil })
        }
    }
}
