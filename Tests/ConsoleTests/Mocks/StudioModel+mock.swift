@testable import Console

extension StudioModel {
    /// Mystica, signed in and on its map; with secrets masked unless `unmasked` is given.
    static func mock(base: String = "127.0.0.1:7071", unmasked: String? = nil) -> StudioModel {
        StudioModel(
            appID: "mystica",
            timelineURL: "/studio/mystica/timeline", appName: "Mystica", deviceID: "d1",
            glow: "#8B4513",
            appSwitch: AppSwitchModel(
                switchID: "studio", switchTitle: "Mystica", switchGlyph: .mock,
                apps: [
                    .init(
                        id: "mystica", name: "Mystica", href: "/studio/mystica", glyph: .mock,
                        current: true)
                ]), backendAction: "/studio/mystica/backend",
            backends: [
                Choice(id: "embedded", name: "Embedded", chosen: true),
                Choice(id: "local", name: "Local", chosen: false),
            ], backendName: "Embedded", base: base, fullBase: "http://" + base,
            backendEditURL: "/studio/mystica/backend", proxyURL: "/studio/mystica/proxy",
            expireAction: "/studio/mystica/expire", relaunchAction: "/studio/mystica/relaunch",
            killAction: "/studio/mystica/kill", killNextAction: "/studio/mystica/kill-next",
            isKillArmed: false, clearStorageURL: "/studio/mystica/clear",
            screenURL: "/apps/mystica/map",
            phoneBase: "/apps/mystica/", sizeID: "iphone15", sizeName: "iPhone 15",
            orientation: "portrait", statusBar: "on-dark", deviceDisplayKey: "debug none",
            deviceAction: "/studio/mystica/device",
            sizes: [Choice(id: "iphone15", name: "iPhone 15", chosen: true)],
            builds: [Choice(id: "debug", name: "Debug", chosen: true)],
            biometrics: [Choice(id: "none", name: "None", chosen: true)],
            orientations: [Choice(id: "portrait", name: "Portrait", chosen: true)],
            appearances: [Choice(id: "system", name: "System", chosen: true)],
            textSizes: [Choice(id: "default", name: "Default", chosen: true)], screenGraph: .mock,
            tokens: TokensModel(
                hasCards: true, tokenCards: [.mock(unmasked: unmasked)], emptyText: "",
                refreshAction: "/sessions/s1/refresh", sessionURL: "/sessions/s1"),
            storage: .mock(unmasked: unmasked),
            recentExchanges: RecentExchanges(
                trafficURL: "/traffic?app=mystica", anyExchanges: true, exchanges: [.mock()]),
            recentMail: RecentMail(
                noMailText: "No messages",
                mails: [
                    MailRow(
                        id: "m1", href: "/mailbox/m1", subject: "Verify",
                        to: "nora.lind@example.com",
                        usageChip: ChipModel(text: "Link used", tone: .ok, chipIcon: "check"),
                        sentText: "2 min ago", sentAt: "2026-11-21T14:33:20Z")
                ]), timeline: .mock)
    }
}

extension ScreenGraphModel {
    static var mock: ScreenGraphModel {
        let drawing = Drawing(
            width: 360, height: 166,
            nodes: [
                Node(
                    name: "map", kind: .current, x: 274, y: 24, w: 86, h: 28, textX: 317, textY: 42,
                    visitCount: "2", visitCountX: 349,
                    halo: Halo(haloX: 270, haloY: 20, haloW: 94, haloH: 36)
                )
            ], edges: [Edge(d: "M86 38H134", kind: "last", hasArrowhead: true)],
            labels: [Label(x: 107, y: 14, text: "relaunch", isLastTransition: true)])
        return ScreenGraphModel(
            currentScreen: "map", sinceText: "on map for", elapsedText: "37 s",
            sinceAt: "2026-11-21T14:34:50Z", wide: drawing, compact: drawing,
            screenDescriptions: [
                ScreenDescription(
                    name: "map", kind: .current, visitCount: "2",
                    description: "map, current, shown twice")
            ])
    }
}

extension TimelineModel {
    static let mock = TimelineModel(
        anyEvents: true, width: 960, newestHighlight: Highlight(x: 679, width: 279, rectWidth: 278),
        gaps: [Gap(x: 152, text: "39 s")],
        groups: [
            Group(
                isNewest: true, x: 687, title: "Relaunch", time: "14:34:50",
                at: "2026-11-21T14:34:50.000Z",
                causeLines: [CauseLine(d: "M693 48V55a6 6 0 0 0 6 6H745")],
                marks: [
                    Mark(
                        id: "t11", shape: .failed, x: 755, y: 61, useX: 747, useY: 53, labelX: 765,
                        labelY: 65, label: "401", href: "/traffic/e2",
                        restoreURL: "/studio/mystica/restore?event=1",
                        accessibilityLabel: "GET /auth/me, 401",
                        title: "GET /auth/me 401", duration: "3.1 ms", timing: "Launch",
                        causeAndEffect: "")
                ])
        ])
}
