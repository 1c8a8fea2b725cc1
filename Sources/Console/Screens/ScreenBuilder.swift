import Apps
import Simulator

/// Builds a screen's template model from the app's status. Equal builders build equal models.
struct ScreenBuilder: Sendable, Equatable {
    let status: AppStatus
    let screen: Screen
    let csrf: String
    /// The action whose confirmation is shown.
    let confirmingAction: String?
    /// Whether it is shown in the console's device frame.
    let isFramed: Bool
    /// Whether animations and automatic transitions are off.
    let isStatic: Bool
    /// The action in progress.
    var busyAction: String?
    /// The URLs of the app's screens.
    let screenLinks: ScreenLinks

    private var app: App { status.app }

    /// The values of variables in labels and texts.
    private var variables: Variables {
        Variables(
            status.availableValues.merging(["device": status.device.manifestVariables]) { $1 })
    }

    /// Milliseconds after a keystroke until live rules are checked: short enough to seem immediate,
    /// and without a request for every letter.
    private static let liveValidationDelay = 150

    func build() -> ScreenModel {
        let fields = fields
        let actions = actions
        let links = links
        let captured = status.availableValues.compactMapValues(CapturedValue.init)
        return ScreenModel(
            app: appModel, screen: screenModel, csrf: csrf, text: textRuns,
            fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }),
            fieldList: fields, tabs: tabs, submit: submit,
            actions: Dictionary(actions) { $1 }, actionList: actions.map(\.1),
            links: Dictionary(links) { $1 }, linkList: links.map(\.1), failure: failure,
            notice: status.notice.map(ScreenModel.Message.init),
            toast: status.toast.map(ScreenModel.Message.init), alert: alert, confirm: confirmation,
            prompt: prompt, browser: browserPrompt, refresh: refresh,
            keyboardBar: keyboardBar, backend: backend, launching: launching,
            liveValidation: liveValidation,
            captured: captured,
            capturedList: captured.sorted { $0.key < $1.key }.flatMap { $0.value.texts(at: $0.key) }
        )
    }

    // MARK: Messages

    private var alert: ScreenModel.Alert? {
        guard !status.isInBackground else { return nil }
        if let failure = status.failure, failure.presentation == .alert {
            return .init(
                title: failure.title ?? app.name, message: failure.message, buttonLabel: "OK",
                href: dismissedURL)
        }
        return status.alert.map { alert in
            .init(
                title: alert.title ?? app.name, message: alert.text, buttonLabel: alert.buttonLabel,
                href: alert.targetScreen.map { screenLinks.screenURL($0) } ?? dismissedURL)
        }
    }

    /// The screen's URL after its alert was dismissed.
    private var dismissedURL: String {
        Links.url(screenLinks.screenURL(screen.id), [("dismissed", "1")])
    }

    /// The failure of an action, or the error of the first invalid field.
    private var failure: ScreenModel.Message? {
        if let failure = status.failure, failure.presentation == .inline {
            return .init(message: failure.message)
        }
        guard screen.errorPlacement == .form else { return nil }
        return screen.fields.lazy.compactMap { status.fieldErrors[$0.name] }.first.map(
            ScreenModel.Message.init)
    }

    // MARK: The screen

    private var appModel: ScreenModel.App {
        let appearance = app.resolvedAppearance(for: status.device.display.appearance)
        return ScreenModel.App(
            id: app.id, name: app.name, appearance: appearance.rawValue,
            colorScheme: appearance == .system ? "light dark" : appearance.rawValue)
    }

    private var backend: ScreenModel.Backend? {
        status.chosenBackend.map {
            ScreenModel.Backend(id: $0.id, label: $0.label, base: status.baseURL, badge: $0.badge)
        }
    }

    private var screenModel: ScreenModel.Screen {
        // Tabs share a heading, but their document titles must differ.
        let name = screen.tabs.isEmpty ? screen.title : label(of: screen)
        let title = name == app.name ? app.name : "\(name) · \(app.name)"
        let textSize = status.device.display.textSize
        return ScreenModel.Screen(
            id: screen.id, title: screen.title, documentTitle: title, kind: screen.kind.rawValue,
            framed: isFramed, textSize: textSize == .default ? nil : textSize.rawValue,
            isStatic: isStatic, inBackground: status.isInBackground)
    }

    private func label(of screen: Screen) -> String { screen.submitAction?.label ?? screen.title }

    private func testID(_ parts: String...) -> String {
        ([screen.id] + parts).joined(separator: ".")
    }

    private var textRuns: [ScreenModel.TextRun] {
        screen.textSegments(variables).map { .init(text: $0.text, strong: $0.isVariable) }
    }

    private var tabs: [ScreenModel.Link] {
        screen.tabs.compactMap { id in
            guard let other = app.screen(id) else { return nil }
            return ScreenModel.Link(
                href: screenLinks.screenURL(id), label: label(of: other), testID: testID("tab", id),
                current: id == screen.id, submitsForm: submit != nil)
        }
    }

    private var submit: ScreenAction? {
        guard let submit = screen.submitAction, isAvailable(submit) else { return nil }
        return ScreenAction(
            label: submit.label, href: screenLinks.actionURL(screen.id, submit.name),
            testID: testID("submit"), enabledWhen: enabledCondition(submit),
            hint: submit.hint ?? "Double tap to \(submit.label.lowercased())")
    }

    // MARK: Actions

    /// The condition that enables the action's button.
    private func enabledCondition(_ action: Action) -> ScreenModel.EnabledCondition? {
        let required: [String]
        switch action.enabledRule {
        case .always: return nil
        case .filled(let names): required = names
        case .valid: required = screen.requiredFields
        }
        return ScreenModel.EnabledCondition(
            requiredFields: required.joined(separator: " "),
            requiresValid: action.enabledRule == .valid,
            isDisabled: !screen.isEnabled(action, status.fieldValues))
    }

    /// Whether the device and the backend support the action.
    private func isAvailable(_ action: Action) -> Bool {
        status.device.supports(action) && app.canPerform(action, backend: status.backend)
            && action.isShown(status.availableValues)
    }

    private var actions: [(String, ScreenAction)] {
        let variables = variables
        var actions = screen.actions.filter(isAvailable).map { action in
            let model = ScreenAction(
                label: variables.fill(action.label),
                href: screenLinks.actionURL(screen.id, action.name),
                confirmHref: action.confirmation.map { _ in
                    Links.url(screenLinks.screenURL(screen.id), [("confirm", action.name)])
                }, testID: testID(action.name),
                sensor: action.biometricCheck.map { _ in status.device.biometrics.kind.rawValue },
                role: action.role ?? "secondary", destructive: action.role == "destructive",
                enabledWhen: enabledCondition(action), hint: action.hint, inert: action.isInert,
                // The biometric prompt is closed by then; the form shows the progress.
                busy: action.name == busyAction && action.biometricCheck == nil)
            return (action.name, model)
        }
        if screen.kind == .launch, status.failure != nil {
            let retry = ScreenAction(
                label: "Retry", href: screenLinks.actionURL(screen.id, "retry"),
                testID: testID("retry"))
            actions.append(("retry", retry))
        }
        return actions
    }

    private var links: [(String, ScreenModel.Link)] {
        screen.links.map { link in
            let title = app.screen(link.screen)?.title ?? link.screen
            let model = ScreenModel.Link(
                href: screenLinks.screenURL(link.screen), label: link.label ?? title,
                testID: testID(link.name))
            return (link.name, model)
        }
    }

    /// The action whose confirmation is requested.
    private var actionToConfirm: Action? {
        guard !status.isInBackground else { return nil }
        return confirmingAction.flatMap { screen.action($0) }.flatMap { isAvailable($0) ? $0 : nil }
    }

    private var confirmation: ScreenModel.Confirmation? {
        guard let action = actionToConfirm, let confirm = action.confirmation else { return nil }
        return ScreenModel.Confirmation(
            title: confirm.title ?? action.label, text: confirm.text,
            confirmLabel: confirm.confirmLabel, cancelLabel: confirm.cancelLabel,
            href: screenLinks.actionURL(screen.id, action.name),
            cancelHref: screenLinks.screenURL(screen.id), testID: testID(action.name),
            destructive: action.role == "destructive", busy: action.name == busyAction)
    }

    /// The biometric prompt before the requested action.
    private var prompt: ScreenModel.Prompt? {
        guard let action = actionToConfirm, let biometric = action.biometricCheck else {
            return nil
        }
        let sensor = status.device.biometrics
        let id = testID(action.name)
        // `Matching Touch`, as in the menus of Apple's iOS Simulator.
        let noun = sensor.kind.displayName.prefix { $0 != " " }
        let results: [(Device.Biometrics.Result, String)] = [
            (.match, "Matching"), (.noMatch, "Non-matching"),
        ]
        return ScreenModel.Prompt(
            title: sensor.kind.displayName, sensor: sensor.kind.rawValue, text: biometric.reason,
            href: screenLinks.actionURL(screen.id, action.name),
            cancelHref: screenLinks.screenURL(screen.id),
            cancelsByDefault: sensor.nextResult == .cancel,
            samples: results.map { result, prefix in
                .init(
                    label: "\(prefix) \(noun)", value: result.rawValue,
                    isDefault: sensor.nextResult == result, testID: "\(id).\(result.rawValue)")
            }, testID: id)
    }

    /// The question before the page that the requested action has opened.
    private var browserPrompt: ScreenModel.BrowserPrompt? {
        guard let action = actionToConfirm, let page = status.openedPage,
            page.screen == screen.id, page.action == action.name
        else { return nil }
        return ScreenModel.BrowserPrompt(
            appName: app.name, host: page.host, href: page.url,
            cancelHref: screenLinks.screenURL(screen.id), testID: testID(action.name))
    }

    // MARK: Scripts

    private var refresh: ScreenModel.Refresh? {
        guard status.canRefresh else { return nil }
        return ScreenModel.Refresh(
            href: screenLinks.actionURL(screen.id, Action.refreshName),
            testID: testID(Action.refreshName))
    }

    /// Not on a tile, where nothing has the focus.
    private var keyboardBar: ScreenModel.KeyboardBar? {
        guard !isStatic else { return nil }
        return screen.keyboardBarLabel.map { .init(label: $0, testID: testID("keyboardDone")) }
    }

    private var launching: ScreenModel.Launching? {
        guard screen.kind == .launch, status.isLaunching, status.failure == nil else { return nil }
        let status = screen.text.map { variables.fill($0) }
        return ScreenModel.Launching(
            href: screenLinks.actionURL(screen.id, "launch"), status: status ?? "Loading",
            showsStatus: status != nil, testID: testID("launch"))
    }

    private var liveValidation: ScreenModel.LiveValidation? {
        let delay: Int
        switch screen.validation {
        case .debounce(let milliseconds): delay = milliseconds
        case .submit:
            guard screen.hasLiveRules else { return nil }
            delay = Self.liveValidationDelay
        }
        return ScreenModel.LiveValidation(
            href: screenLinks.actionURL(screen.id, "check"), delay: delay,
            checksLiveRulesOnly: screen.validation == .submit)
    }
}

extension App {
    /// The appearance on a device: only an app that follows the system depends on the device's
    /// setting.
    func resolvedAppearance(for appearance: Device.Display.Appearance) -> App.Appearance {
        guard self.appearance == .system else { return self.appearance }
        return App.Appearance(rawValue: appearance.rawValue) ?? .system
    }
}

extension App.Appearance {
    /// The CSS class for the text color of the device's status bar.
    var statusBarClass: String {
        switch self {
        case .dark: "on-dark"
        case .light: "on-light"
        case .system: "by-system"
        }
    }
}
