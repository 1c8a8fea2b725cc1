import Web

/// The site on one screen.
enum Routes {
    static func all(
        _ services: Services, _ visitors: Visitors, _ judge: SignatureJudge, _ leases: Leases,
        _ keeper: Guard, _ stage: Stage, publicFolder: String, userApps: String?
    ) -> [Route] {
        let assets = AssetPages(services: services, publicFolder: publicFolder, userApps: userApps)
        let api = API.routes(services, visitors, judge, leases, keeper)
        let through = ThroughPages(
            services: services, visitors: visitors, keeper: keeper,
            frames: FrameBuilder(services: services))
        let tiles = TilePages(services: services, stage: stage)
        let exports = ExportPages(services: services, stage: stage, assets: assets)
        return assets.routes + through.routes + services.upToDate(tiles.routes + exports.routes)
            + ScreenPages(services: services, visitors: visitors).routes
            + console(
                services, visitors, judge, leases, stage,
                Covers(publicFolder: publicFolder, userApps: userApps),
                AppSheets.Folders(publicFolder: publicFolder, userApps: userApps)) + api + [
                OpenAPI.route(describing: api, version: services.version)
            ]
    }

    /// The console's own pages.
    private static func console(
        _ services: Services, _ visitors: Visitors, _ judge: SignatureJudge, _ leases: Leases,
        _ stage: Stage, _ covers: Covers, _ folders: AppSheets.Folders
    ) -> [Route] {
        let frames = FrameBuilder(services: services)
        let home = HomePages(services: services, visitors: visitors, frames: frames, covers: covers)
        let studio = StudioPages(
            services: services, visitors: visitors, judge: judge, frames: frames)
        let sessions = SessionsPages(
            services: services, visitors: visitors, judge: judge, frames: frames)
        let traffic = TrafficPages(services: services, visitors: visitors, frames: frames)
        let mailbox = MailboxPages(services: services, visitors: visitors, frames: frames)
        let events = EventPages(services: services, visitors: visitors, frames: frames)
        let clock = ClockPages(services: services, visitors: visitors, frames: frames)
        let tokens = TokensPages(services: services, visitors: visitors, frames: frames)
        let accounts = AccountsPages(services: services, visitors: visitors, frames: frames)
        let workspaces = WorkspacesPages(
            services: services, visitors: visitors, leases: leases, frames: frames)
        let conditions = ConditionsPages(services: services, visitors: visitors, frames: frames)
        let snapshots = SnapshotsPages(services: services, visitors: visitors, frames: frames)
        let look = LookPages(
            services: services, visitors: visitors, frames: frames, folders: folders)
        let copy = CopyPages(services: services, visitors: visitors, frames: frames)
        let flow = FlowPages(services: services, visitors: visitors, frames: frames)
        let accessibility = AccessibilityPages(
            services: services, visitors: visitors, frames: frames, stage: stage)
        let storyboard = SheetPages(
            services: services, visitors: visitors, frames: frames, stage: stage)
        let scenes = ScenePages(
            services: services, visitors: visitors, frames: frames, stage: stage)
        let walkthrough = WalkthroughPages(
            services: services, visitors: visitors, frames: frames,
            walks: Walks(services: services, leases: leases), stage: stage)
        let storyboards = services.upToDate(
            storyboard.routes + scenes.routes + flow.routes + look.routes + copy.routes
                + accessibility.routes)
        return workspaces.routes
            + visitors.welcoming(
                services.upToDate(walkthrough.routes) + home.routes + studio.routes
                    + sessions.routes + traffic.routes + mailbox.routes + events.routes
                    + clock.routes + accounts.routes + conditions.routes + tokens.routes
                    + snapshots.routes + storyboards)
    }
}
