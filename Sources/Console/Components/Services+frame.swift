import Backend
import Core
import FoundationEssentials
import Simulator
import Templates
import Traffic
import Web

extension Services {
    /// The frame around every page: navigation with counts, clock and banners.
    ///
    /// It is the property `frame` of every page's model; `layouts/console`, `parts/navitems`,
    /// `parts/clock`, `parts/banner` and `parts/faults` read it. Times are UTC. It has what
    /// `templates` refer to.
    func frame(
        of page: Page, _ context: RequestContext, for templates: [String] = ["layouts/console"]
    ) async throws -> TemplateModel {
        let workspace = try workspace(of: context)
        let real = world.now()
        let clock = simulator.clocks.clock(of: workspace)
        let name = simulator.displayName(ofWorkspace: workspace)
        let activeFaults = faults.list(in: workspace)
        // A fault's banner comes first.
        let showsClockNote = !clock.isReal && activeFaults.isEmpty
        let frame: TemplateModel = [
            "pageTitle": page.title, "clock": clock.model(at: real), "systemNow": real.iso8601,
            "csrf": context.csrfToken, "returnURL": page.url,
            // Live updates start after it.
            "lastEventID": String(page.lastEventID ?? hub.lastID(in: workspace)),
            "workspace": workspace,
            "workspaceName": name, "workspaceInitial": String(name.prefix(1)),
            "partURL": page.partURL, "needsStudioScript": page.needsStudioScript,
            "pageScript": page.script,
        ]
        let deferring = frame.deferring("navItems") {
            try await navItems(page.navItem, workspace)
        }.deferring("faultStatus") {
            try await FaultNames(activeFaults, in: workspace, self).indicators(activeFaults)
        }.deferring("pauseBanner") { pauseBanner(in: workspace) }.deferring("clockNote") {
            showsClockNote ? try await clockNote(of: page, workspace) : nil
        }
        return try await self.templates.resolve(deferring, for: templates)
    }

    /// What follows a moved clock, or which backends do not.
    private func clockNote(of page: Page, _ workspace: String) async throws -> String {
        if let note = page.clockNote { return note }
        return try await clockNotes(workspace).joined(separator: " ").nonEmpty
            ?? "Tokens, codes, limits and countdowns of this workspace follow it."
    }

    private func navItems(_ current: String, _ workspace: String) async throws -> [TemplateModel] {
        let sessions = try await simulator.sessionCount(in: workspace)
        let traffic = try await exchanges.totals(workspace: workspace)
        let mail = try await backend.mailbox.count(workspace: workspace)
        let accounts = try await backend.accountCount(workspace: workspace)
        let studio = firstApp.map { Links.studio($0) } ?? Links.home
        let all: [(String, String, String, String, Int?)] = [
            ("home", "Home", Links.home, "home", nil), ("studio", "Studio", studio, "phone", nil),
            ("sessions", "Sessions", Links.sessions, "key", sessions),
            ("traffic", "Traffic", Links.traffic, "swap", traffic.all),
            ("rules", "Rules", Links.rules, "pause", rules.list(in: workspace).count),
            ("mailbox", "Mailbox", Links.mailbox, "mail", mail),
            ("accounts", "Accounts", Links.accounts, "user", accounts),
            ("snapshots", "Snapshots", Links.snapshots, "file", nil),
            ("tokens", "Token inspector", Links.tokens, "shield", nil),
            ("storyboard", "Storyboard", Links.storyboards, "board", nil),
            ("walkthrough", "Walkthrough", Links.walkthroughs, "flag", nil),
        ]
        return all.map { id, name, href, icon, count in
            [
                "navID": id, "name": name, "href": href, "icon": icon, "current": id == current,
                "startsGroup": ["sessions", "storyboard"].contains(id),
                // The tab bar on narrow screens has the others under More.
                "isTab": ["studio", "sessions", "traffic", "mailbox"].contains(id),
                "navCount": count.flatMap { $0 > 0 ? Format.count($0) : nil },
            ]
        }
    }
}

extension Clock {
    /// The clock at rendering (`parts/clock`); `real` is the system time.
    func model(at real: Date) -> TemplateModel {
        let time = time(at: real)
        return [
            // With milliseconds: scripts compute the offset to the browser's clock from it.
            "now": time.iso8601, "time": Format.timeOfDay(time),
            "status": Format.clockStatus(self), "isMoved": !isReal, "isFrozen": frozenAt != nil,
        ]
    }
}
