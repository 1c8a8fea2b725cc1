import Apps
import Simulator
import Storyboards
import Web

/// The board's controls. All are links, so they work without a script.
extension BoardBuilder {
    var sizes: [BoardModel.Choice] {
        DeviceSizes.all.sorted { $0.width < $1.width }.map { size in
            .init(
                id: size.id, name: size.shortLabel, href: query.link { $0.size = size },
                current: size.id == query.size.id)
        }
    }

    var appearanceChoices: BoardModel.AppearanceChoices? {
        let followsSystem = shownApps.contains {
            $0.appearance == .system
        }
        guard followsSystem else { return nil }
        return .init(
            appearances: Device.Display.Appearance.allCases.map { appearance in
                .init(
                    id: appearance.rawValue, name: appearance.rawValue.capitalizedFirst,
                    href: query.link { $0.appearance = appearance },
                    current: appearance == query.appearance
                )
            })
    }

    var zoom: BoardModel.Zoom {
        let (steps, percent) = (BoardQuery.zoomSteps, query.zoom)
        let step = steps.last { $0 <= percent } ?? steps[0]
        let smaller = steps.last { $0 < percent } ?? percent
        let larger = steps.first { $0 > percent } ?? percent
        return .init(
            stepName: "z\(step)", percent: percent, text: "\(percent)%",
            zoomOutURL: query.link { $0.zoom = smaller },
            zoomInURL: query.link { $0.zoom = larger },
            isZoomedOut: percent < 20)
    }

    var activeFilters: [BoardModel.ActiveFilter] {
        [
            query.screen.map { screen in
                .init(text: "Screen: \(screen)", removeURL: query.link { $0.screen = nil })
            },
            query.kind.map { kind in
                .init(text: "State: \(kind.label)", removeURL: query.link { $0.kind = nil })
            },
        ].compactMap(\.self)
    }

    // MARK: Menus

    var menus: [BoardModel.Menu] { [screenMenu, kindMenu, comparisonMenu] }

    private var screenMenu: BoardModel.Menu {
        .screens(of: app, chosen: query.screen) { state in
            (query.kind ?? state.kind) == state.kind
        } link: { screen in
            query.link { $0.screen = screen }
        }
    }

    private var kindMenu: BoardModel.Menu {
        let states = shownApps.flatMap(\.storyboardStates).filter {
            (query.screen ?? $0.screen.id) == $0.screen.id
        }
        return .init(
            menuID: "kind", menuName: "State", chosenName: query.kind?.label ?? "All",
            options: [
                .init(
                    id: "all", name: "All", count: "", href: query.link { $0.kind = nil },
                    current: query.kind == nil)
            ]
                + StateKind.allCases.map { kind in
                    .init(
                        id: kind.rawValue, name: kind.label,
                        count: "\(states.count { $0.kind == kind })",
                        href: query.link { $0.kind = kind }, current: query.kind == kind)
                })
    }

    private var comparisonMenu: BoardModel.Menu {
        func comparisonLink(_ other: String?) -> String {
            query.link {
                $0.comparedAppID = other
                $0.selected = nil
            }
        }
        return .init(
            menuID: "compare", menuName: "Compare with", chosenName: comparedApp?.name ?? "None",
            options: [
                .init(
                    id: "none", name: "None", count: "", href: comparisonLink(nil),
                    current: comparedApp == nil)
            ]
                + services.appCatalog.apps.filter { $0.id != app.id }.map { other in
                    .init(
                        id: other.id, name: other.name, count: "", href: comparisonLink(other.id),
                        current: other.id == comparedApp?.id)
                })
    }
}

extension BoardModel.Menu {
    /// Lists the app's screens, each with the number of its states that satisfy `matching`.
    static func screens(
        of app: App, chosen: String?, matching: (StoryboardState) -> Bool = { _ in true },
        link: (String?) -> String
    ) -> BoardModel.Menu {
        .init(
            menuID: "screen", menuName: "Screen", chosenName: chosen ?? "All",
            options: [
                .init(id: "all", name: "All", count: "", href: link(nil), current: chosen == nil)
            ]
                + app.screens.map { screen in
                    .init(
                        id: screen.id, name: screen.id,
                        count: "\(app.storyboardStates(of: screen).count(where: matching))",
                        href: link(screen.id), current: chosen == screen.id)
                })
    }
}
