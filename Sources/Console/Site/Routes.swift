import Web

/// The site on one screen.
enum Routes {
    static func all(
        _ services: Services, _ scopeResolver: ScopeResolver, _ judge: SignatureVerifier,
        _ leases: Leases,
        _ keeper: Guard, _ stage: StateCache, publicFolder: String, userApps: String?
    ) -> [Route] {
        let assets = AssetPages(services: services, publicFolder: publicFolder, userApps: userApps)
        let api = API.routes(services, scopeResolver, judge, leases, keeper)
        let through = ProxyPages(
            services: services, scopeResolver: scopeResolver, accessGuard: keeper,
            frames: FrameBuilder(services: services))
        let tiles = TilePages(services: services, stateCache: stage)
        let exports = ExportPages(services: services, stateCache: stage, assets: assets)
        return assets.routes + through.routes
            + services.reloadingManifests(tiles.routes + exports.routes)
            + ScreenPages(services: services, scopeResolver: scopeResolver).routes
            + consolePages(
                services, scopeResolver, judge, leases, stage,
                CardArtwork(publicFolder: publicFolder, userApps: userApps),
                AppStyleSheets.Folders(publicFolder: publicFolder, userAppsFolder: userApps)) + api
            + [
                OpenAPI.route(describing: api, version: services.version)
            ]
    }

    /// The console's own pages.
    private static func consolePages(
        _ services: Services, _ scopeResolver: ScopeResolver, _ judge: SignatureVerifier,
        _ leases: Leases,
        _ stage: StateCache, _ covers: CardArtwork, _ folders: AppStyleSheets.Folders
    ) -> [Route] {
        let frames = FrameBuilder(services: services)
        let home = HomePages(
            services: services, scopeResolver: scopeResolver, frames: frames, cardArtwork: covers)
        let studio = StudioPages(
            services: services, scopeResolver: scopeResolver, signatureVerifier: judge,
            frames: frames)
        let sessions = SessionsPages(
            services: services, scopeResolver: scopeResolver, signatureVerifier: judge,
            frames: frames)
        let traffic = TrafficPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let mailbox = MailboxPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let events = EventPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let clock = ClockPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let tokens = TokensPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let accounts = AccountsPages(
            services: services, scopeResolver: scopeResolver, frames: frames)
        let workspaces = WorkspacesPages(
            services: services, scopeResolver: scopeResolver, leases: leases, frames: frames)
        let conditions = FaultsPages(
            services: services, scopeResolver: scopeResolver, frames: frames)
        let snapshots = SnapshotsPages(
            services: services, scopeResolver: scopeResolver, frames: frames)
        let look = DesignTokensPages(
            services: services, scopeResolver: scopeResolver, frames: frames, folders: folders)
        let copy = CopyPages(services: services, scopeResolver: scopeResolver, frames: frames)
        let flow = TransitionMapPages(
            services: services, scopeResolver: scopeResolver, frames: frames)
        let accessibility = AccessibilityPages(
            services: services, scopeResolver: scopeResolver, frames: frames, stateCache: stage)
        let storyboard = BoardPages(
            services: services, scopeResolver: scopeResolver, frames: frames, stateCache: stage)
        let scenes = StateDetailPages(
            services: services, scopeResolver: scopeResolver, frames: frames, stateCache: stage)
        let walkthrough = WalkthroughPages(
            services: services, scopeResolver: scopeResolver, frames: frames,
            walkthroughSessions: WalkthroughSessions(services: services, leases: leases),
            stateCache: stage)
        let storyboards = services.reloadingManifests(
            storyboard.routes + scenes.routes + flow.routes + look.routes + copy.routes
                + accessibility.routes)
        return workspaces.routes
            + scopeResolver.settingDeviceCookies(
                services.reloadingManifests(walkthrough.routes) + home.routes + studio.routes
                    + sessions.routes + traffic.routes + mailbox.routes + events.routes
                    + clock.routes + accounts.routes + conditions.routes + tokens.routes
                    + snapshots.routes + storyboards)
    }
}
