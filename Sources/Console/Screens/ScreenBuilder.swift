import Apps
import Simulator
import Web

/// Makes of a situation what the screen's template sees.
struct ScreenBuilder {
    let situation: Situation
    let screen: Screen
    let csrf: String
    /// The action whose confirmation is shown.
    let confirming: String?
    /// The alert was answered.
    let dismissed: Bool
    /// Shown inside the console's phone.
    let framed: Bool

    private var app: App { situation.app }

    func build() -> ScreenModel {
        var model = ScreenModel(
            app: ScreenModel.App(
                id: app.id, name: app.name,
                appearance: app.appearance.rawValue,
                colorScheme: app.appearance == .system
                    ? "light dark" : app.appearance.rawValue),
            screen: frame, csrf: csrf)
        model.text = text
        model.fields = fields
        model.tabs = tabs
        model.submit = submit
        model.actions = actions
        model.links = links
        model.toast = situation.toast.map { .init($0) }
        model.confirm = confirmation
        model.launching = launching
        model.check = check
        model.held = situation.held.compactMapValues(HeldValue.init)
        if let alert = situation.alert {
            model.alert = ScreenModel.Alert(
                title: alert.title ?? app.name, message: alert.text,
                ok: alert.ok,
                href: Links.screen(app.id, alert.go ?? screen.id))
        }
        if let failure = situation.failure, !dismissed {
            switch failure.show {
            case .inline:
                model.failure = .init(failure.message)
            case .alert:
                model.alert = ScreenModel.Alert(
                    title: failure.title ?? app.name, message: failure.message,
                    ok: "OK",
                    href: Links.query(
                        Links.screen(app.id, screen.id), [("dismissed", "1")]))
            }
        }
        return model
    }

    private var frame: ScreenModel.Screen {
        // Tabs share a heading; the tab's title must still tell them apart.
        let own = screen.tabs.isEmpty ? screen.title : label(of: screen)
        let title = own == app.name ? app.name : "\(own) · \(app.name)"
        var frame = ScreenModel.Screen(
            id: screen.id, title: screen.title, documentTitle: title,
            kind: screen.kind.rawValue)
        frame.framed = framed
        return frame
    }

    private func label(of screen: Screen) -> String {
        screen.submit?.label ?? screen.title
    }

    private func testID(_ parts: String...) -> String {
        ([screen.id] + parts).joined(separator: ".")
    }

    private var text: [ScreenModel.TextRun] {
        screen.pieces(Variables(situation.held)).map {
            .init($0.text, strong: $0.filled)
        }
    }

    private var tabs: [ScreenModel.Tab] {
        screen.tabs.compactMap { id in
            guard let other = app.screen(id) else { return nil }
            return ScreenModel.Tab(
                label: label(of: other), href: Links.screen(app.id, id),
                current: id == screen.id, testID: testID("tab", id))
        }
    }

    private var submit: ScreenModel.Submit? {
        guard let submit = screen.submit else { return nil }
        return ScreenModel.Submit(
            label: submit.label,
            href: Links.action(app.id, screen.id, submit.name),
            testID: testID("submit"), enabled: isEnabled(submit),
            hint: "Double tap to \(submit.label.lowercased())")
    }

    private func isEnabled(_ action: Action) -> Bool {
        screen.isEnabled(action, situation.values)
    }

    private var actions: [String: ScreenAction] {
        var actions: [String: ScreenAction] = [:]
        for action in screen.actions where situation.device.fits(action) {
            let href = Links.action(app.id, screen.id, action.name)
            var model = ScreenAction(
                label: action.label, href: href,
                confirmHref: action.confirm.map { _ in
                    Links.query(
                        Links.screen(app.id, screen.id),
                        [("confirm", action.name)])
                }, testID: testID(action.name),
                role: action.role ?? "secondary",
                destructive: action.role == "destructive")
            model.enabled = isEnabled(action)
            model.inert = action.inert
            actions[action.name] = model
        }
        if screen.kind == .launch, situation.failure != nil {
            actions["retry"] = ScreenAction(
                label: "Retry",
                href: Links.action(app.id, screen.id, "retry"),
                testID: testID("retry"), role: "primary")
        }
        return actions
    }

    private var links: [String: ScreenModel.Link] {
        var links: [String: ScreenModel.Link] = [:]
        for link in screen.links {
            let title = app.screen(link.screen)?.title ?? link.screen
            links[link.name] = ScreenModel.Link(
                href: Links.screen(app.id, link.screen),
                label: link.label ?? title, testID: testID(link.name))
        }
        return links
    }

    private var confirmation: ScreenModel.Confirmation? {
        guard let confirming, let action = screen.action(confirming),
            let confirm = action.confirm, situation.device.fits(action)
        else { return nil }
        return ScreenModel.Confirmation(
            title: confirm.title ?? action.label, text: confirm.text,
            yes: confirm.yes, no: confirm.no,
            href: Links.action(app.id, screen.id, action.name),
            cancelHref: Links.screen(app.id, screen.id),
            testID: testID(action.name),
            destructive: action.role == "destructive")
    }

    private var launching: ScreenModel.Launching? {
        guard screen.kind == .launch, situation.launching,
            situation.failure == nil
        else { return nil }
        let status = screen.text.map { Variables(situation.held).fill($0) }
        return ScreenModel.Launching(
            href: Links.action(app.id, screen.id, "launch"),
            status: status ?? "Loading", shown: status != nil,
            testID: testID("launch"))
    }

    private var check: ScreenModel.Check? {
        guard case .debounce(let delay) = screen.validate else { return nil }
        return ScreenModel.Check(
            href: Links.action(app.id, screen.id, "check"), delay: delay)
    }
}
