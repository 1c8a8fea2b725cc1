import Apps
import Simulator

/// The sheet's controls: all of them links, so that they work without a
/// script.
extension SheetBuilder {
    var sizes: [SheetModel.Choice] {
        DeviceSizes.all.sorted { $0.width < $1.width }.map { size in
            .init(
                id: size.id, name: size.shortLabel, href: address.link { $0.size = size },
                current: size.id == address.size.id)
        }
    }

    var looks: SheetModel.Looks? {
        let follows = ([app] + [beside].compactMap(\.self)).contains { $0.appearance == .system }
        guard follows else { return nil }
        return .init(
            appearances: Device.Display.Appearance.allCases.map { look in
                .init(
                    id: look.rawValue, name: look.rawValue.capitalizedFirst,
                    href: address.link { $0.appearance = look }, current: look == address.appearance
                )
            })
    }

    var zoom: SheetModel.Zoom {
        let (steps, now) = (SheetAddress.zooms, address.zoom)
        let drawn = steps.last { $0 <= now } ?? steps[0]
        let smaller = steps.last { $0 < now } ?? now
        let larger = steps.first { $0 > now } ?? now
        return .init(
            name: "z\(drawn)", percent: now, text: "\(now)%",
            outURL: address.link { $0.zoom = smaller }, inURL: address.link { $0.zoom = larger },
            isFar: now < 20)
    }

    var narrowed: [SheetModel.Narrowed] {
        [
            address.screen.map { screen in
                .init(text: "screen: \(screen)", withoutURL: address.link { $0.screen = nil })
            },
            address.kind.map { kind in
                .init(text: "state: \(kind.words)", withoutURL: address.link { $0.kind = nil })
            },
        ].compactMap(\.self)
    }

    // MARK: Menus

    var menus: [SheetModel.Menu] { [screenMenu, kindMenu, besideMenu] }

    private var screenMenu: SheetModel.Menu {
        .screens(of: app, chosen: address.screen) { state in
            address.kind.map { $0 == StateKind(state.cause) } ?? true
        } link: { screen in
            address.link { $0.screen = screen }
        }
    }

    private var kindMenu: SheetModel.Menu {
        let shown = ([app] + [beside].compactMap(\.self)).flatMap { app in
            app.screens.filter { screen in address.screen.map { $0 == screen.id } ?? true }.flatMap(
                app.screenStates)
        }
        return .init(
            menuID: "kind", menuName: "State", chosenName: address.kind?.words ?? "all",
            options: [
                .init(
                    id: "all", name: "All", count: "", href: address.link { $0.kind = nil },
                    current: address.kind == nil)
            ]
                + StateKind.allCases.map { kind in
                    .init(
                        id: kind.rawValue, name: kind.words.capitalizedFirst,
                        count: "\(shown.count { StateKind($0.cause) == kind })",
                        href: address.link { $0.kind = kind }, current: address.kind == kind)
                })
    }

    private var besideMenu: SheetModel.Menu {
        func without(_ other: String?) -> String {
            address.link {
                $0.beside = other
                $0.selected = nil
            }
        }
        return .init(
            menuID: "beside", menuName: "Beside", chosenName: beside?.name ?? "none",
            options: [
                .init(
                    id: "none", name: "None", count: "", href: without(nil), current: beside == nil)
            ]
                + services.apps.filter { $0.id != app.id }.map { other in
                    .init(
                        id: other.id, name: other.name, count: "", href: without(other.id),
                        current: other.id == beside?.id)
                })
    }
}

extension SheetModel.Menu {
    /// An app's screens, each with how many of its states `fit`.
    static func screens(
        of app: App, chosen: String?, fit: (ScreenState) -> Bool = { _ in true },
        link: (String?) -> String
    ) -> SheetModel.Menu {
        .init(
            menuID: "screen", menuName: "Screen", chosenName: chosen ?? "all",
            options: [
                .init(id: "all", name: "All", count: "", href: link(nil), current: chosen == nil)
            ]
                + app.screens.map { screen in
                    .init(
                        id: screen.id, name: screen.id,
                        count: "\(app.screenStates(of: screen).count(where: fit))",
                        href: link(screen.id), current: chosen == screen.id)
                })
    }
}
