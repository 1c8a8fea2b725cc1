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
    /// Shown inside the console's phone.
    let framed: Bool
    /// Nothing moves or goes on by itself.
    let still: Bool
    /// The action that is under way.
    let busy: String?
    /// Where its links lead.
    let addresses: ScreenLinks
    /// What names stand for in labels and texts.
    private let words: Variables

    init(
        situation: Situation, screen: Screen, csrf: String, confirming: String?, framed: Bool,
        still: Bool = false, busy: String? = nil, addresses: ScreenLinks? = nil
    ) {
        self.situation = situation
        self.screen = screen
        self.csrf = csrf
        self.confirming = confirming
        self.framed = framed
        self.still = still
        self.busy = busy
        self.addresses = addresses ?? ScreenLinks(app: situation.app.id)
        words = Variables(situation.held.merging(["device": situation.device.facts]) { $1 })
    }

    private var app: App { situation.app }

    /// Milliseconds after a key until a live rule is asked: at once for eyes,
    /// and not once for every letter.
    private static let liveDelay = 150

    func build() -> ScreenModel {
        let display = situation.device.display
        let appearance = app.shown(as: display.appearance)
        var model = ScreenModel(
            app: ScreenModel.App(
                id: app.id, name: app.name, appearance: appearance.rawValue,
                colorScheme: appearance == .system ? "light dark" : appearance.rawValue),
            screen: frame, csrf: csrf)
        model.text = text
        model.fieldList = fields
        model.fields = Dictionary(uniqueKeysWithValues: model.fieldList.map { ($0.name, $0) })
        model.tabs = tabs
        model.submit = submit
        for (name, action) in actions {
            model.actions[name] = action
            model.actionList.append(action)
        }
        for (name, link) in links {
            model.links[name] = link
            model.linkList.append(link)
        }
        model.notice = situation.notice.map { .init($0) }
        model.toast = situation.toast.map { .init($0) }
        model.confirm = confirmation
        model.prompt = prompt
        model.backend = backend
        model.launching = launching
        model.check = check
        model.held = situation.held.compactMapValues(HeldValue.init)
        model.heldList = model.held.sorted { $0.key < $1.key }.flatMap {
            $0.value.texts(at: $0.key)
        }
        if let alert = situation.alert {
            model.alert = ScreenModel.Alert(
                title: alert.title ?? app.name, message: alert.text, ok: alert.ok,
                href: alert.go.map { addresses.screen($0) } ?? answered)
        }
        if screen.errors == .form { model.failure = brokenRule.map { .init($0) } }
        if let failure = situation.failure {
            switch failure.show {
            case .inline: model.failure = .init(failure.message)
            case .alert:
                model.alert = ScreenModel.Alert(
                    title: failure.title ?? app.name, message: failure.message, ok: "OK",
                    href: answered)
            }
        }
        return model
    }

    /// The screen once its alert was answered.
    private var answered: String { Links.query(addresses.screen(screen.id), [("dismissed", "1")]) }

    /// What the form says of its first field that breaks a rule.
    private var brokenRule: String? {
        screen.fields.lazy.compactMap { situation.fieldErrors[$0.name] }.first
    }

    private var frame: ScreenModel.Screen {
        // Tabs share a heading; the tab's title must still tell them apart.
        let own = screen.tabs.isEmpty ? screen.title : label(of: screen)
        let title = own == app.name ? app.name : "\(own) · \(app.name)"
        var frame = ScreenModel.Screen(
            id: screen.id, title: screen.title, documentTitle: title, kind: screen.kind.rawValue)
        frame.framed = framed
        frame.still = still
        let textSize = situation.device.display.textSize
        frame.textSize = textSize == .default ? nil : textSize.rawValue
        return frame
    }

    private func label(of screen: Screen) -> String { screen.submit?.label ?? screen.title }

    private func testID(_ parts: String...) -> String {
        ([screen.id] + parts).joined(separator: ".")
    }

    private var text: [ScreenModel.TextRun] {
        screen.pieces(words).map { .init($0.text, strong: $0.filled) }
    }

    private var tabs: [ScreenModel.Tab] {
        screen.tabs.compactMap { id in
            guard let other = app.screen(id) else { return nil }
            return ScreenModel.Tab(
                label: label(of: other), href: addresses.screen(id), current: id == screen.id,
                carries: submit != nil, testID: testID("tab", id))
        }
    }

    private var submit: ScreenModel.Submit? {
        guard let submit = screen.submit, isOffered(submit) else { return nil }
        var model = ScreenModel.Submit(
            label: submit.label, href: addresses.action(screen.id, submit.name),
            testID: testID("submit"),
            hint: submit.hint ?? "Double tap to \(submit.label.lowercased())")
        model.wait = wait(submit)
        return model
    }

    /// What `action`'s button waits for.
    private func wait(_ action: Action) -> ScreenModel.Wait? {
        switch action.enabled {
        case .always: nil
        case .filled(let names):
            ScreenModel.Wait(
                filled: names.joined(separator: " "), valid: false, waiting: !isEnabled(action))
        case .valid:
            ScreenModel.Wait(
                filled: screen.mustBeFilled.joined(separator: " "), valid: true,
                waiting: !isEnabled(action))
        }
    }

    /// Whether the device fits it and the backend has its calls.
    func isOffered(_ action: Action) -> Bool {
        situation.device.fits(action) && app.offers(action, backend: situation.backend)
    }

    private func isEnabled(_ action: Action) -> Bool { screen.isEnabled(action, situation.values) }

    private var actions: [(name: String, action: ScreenAction)] {
        var actions: [(name: String, action: ScreenAction)] = []
        for action in screen.actions where isOffered(action) {
            let href = addresses.action(screen.id, action.name)
            var model = ScreenAction(
                label: words.fill(action.label), href: href,
                confirmHref: action.confirm.map { _ in
                    Links.query(addresses.screen(screen.id), [("confirm", action.name)])
                }, testID: testID(action.name), role: action.role ?? "secondary",
                destructive: action.role == "destructive")
            model.wait = wait(action)
            model.hint = action.hint
            model.sensor = action.biometric.map { _ in situation.device.biometrics.kind.rawValue }
            model.inert = action.inert
            // A sensor's question is over by then: what waits is the form.
            model.busy = action.name == busy && action.biometric == nil
            actions.append((action.name, model))
        }
        if screen.kind == .launch, situation.failure != nil {
            actions.append(
                (
                    "retry",
                    ScreenAction(
                        label: "Retry", href: addresses.action(screen.id, "retry"),
                        testID: testID("retry"), role: "primary")
                ))
        }
        return actions
    }

    private var links: [(name: String, link: ScreenModel.Link)] {
        screen.links.map { link in
            let title = app.screen(link.screen)?.title ?? link.screen
            return (
                link.name,
                ScreenModel.Link(
                    href: addresses.screen(link.screen), label: link.label ?? title,
                    testID: testID(link.name))
            )
        }
    }

    private var confirmation: ScreenModel.Confirmation? {
        guard let confirming, let action = screen.action(confirming), let confirm = action.confirm,
            isOffered(action)
        else { return nil }
        var model = ScreenModel.Confirmation(
            title: confirm.title ?? action.label, text: confirm.text, yes: confirm.yes,
            no: confirm.no, href: addresses.action(screen.id, action.name),
            cancelHref: addresses.screen(screen.id), testID: testID(action.name),
            destructive: action.role == "destructive")
        model.busy = action.name == busy
        return model
    }

    private var launching: ScreenModel.Launching? {
        guard screen.kind == .launch, situation.launching, situation.failure == nil else {
            return nil
        }
        let status = screen.text.map { words.fill($0) }
        return ScreenModel.Launching(
            href: addresses.action(screen.id, "launch"), status: status ?? "Loading",
            shown: status != nil, testID: testID("launch"))
    }

    private var check: ScreenModel.Check? {
        let delay: Int
        switch screen.validate {
        case .debounce(let asked): delay = asked
        case .submit:
            guard screen.hasLiveRules else { return nil }
            delay = Self.liveDelay
        }
        var check = ScreenModel.Check(href: addresses.action(screen.id, "check"), delay: delay)
        check.live = screen.validate == .submit
        return check
    }
}
