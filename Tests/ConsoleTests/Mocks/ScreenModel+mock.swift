@testable import Console

/// The states of Mystica's screens, as on the design board.
extension ScreenModel {
    static func mock(
        _ id: String, title: String, documentTitle: String? = nil, kind: String,
        app: String = "mystica"
    ) -> ScreenModel {
        let name = app == "mystica" ? "Mystica" : "Mystica instant play"
        return ScreenModel(
            app: App(id: app, name: name, appearance: "dark", colorScheme: "dark"),
            screen: Screen(
                id: id, title: title, documentTitle: "\(documentTitle ?? title) · \(name)",
                kind: kind), csrf: "token-of-this-page")
    }

    // MARK: Splash

    static func mockLaunching(app: String = "mystica", status: String = "Checking your session")
        -> ScreenModel
    {
        var model = mock("splash", title: "Mystica", kind: "launch", app: app)
        model.launching = Launching(
            href: "/apps/\(app)/splash/launch", status: status,
            showsStatus: app == "mystica-instant",
            testID: "splash.launch")
        return model
    }

    static func mockOffline(app: String = "mystica") -> ScreenModel {
        var model = mock("splash", title: "Mystica", kind: "launch", app: app)
        model.failure = Message(
            message: "No internet connection. Please check your network and try again.")
        model.actions["retry"] = .mock(
            "retry", on: "splash", label: "Retry", role: "primary", app: app)
        return model
    }

    // MARK: Login and register

    static func mockLogin(email: String = "", password: String = "") -> ScreenModel {
        mockForm("login", label: "Login", email: email, password: password)
    }

    static func mockLoading() -> ScreenModel {
        var model = mockLogin(email: "rowan@mystica.app", password: "sparrow123")
        model.loading = true
        return model
    }

    static func mockLoginFailure() -> ScreenModel {
        var model = mockLogin(email: "rowan@mystica.app")
        model.fields["password"]?.focus = true
        model.failure = Message(message: "Invalid email or password")
        return model
    }

    static func mockRegister() -> ScreenModel {
        mockForm("register", label: "Register", email: "", password: "")
    }

    static func mockFieldErrors() -> ScreenModel {
        var model = mockForm(
            "register", label: "Register", email: "rowan@mystica", password: "abc1234")
        model.fields["email"]?.invalid = true
        model.fields["email"]?.error = "Please enter a valid email address"
        model.fields["email"]?.focus = true
        model.fields["password"]?.invalid = true
        model.fields["password"]?.error = "Password must be at least 8 characters"
        model.fields["password"]?.revealed = true
        model.fields["password"]?.type = "text"
        return model
    }

    private static func mockForm(_ id: String, label: String, email: String, password: String)
        -> ScreenModel
    {
        var model = mock(id, title: "Mystica", documentTitle: label, kind: "form")
        model.fields = [
            "email": .mock(
                "email", on: id, label: "Email address", type: "email", value: email,
                autocomplete: "username"),
            "password": .mock(
                "password", on: id, label: "Password", type: "password", value: password,
                autocomplete: id == "login" ? "current-password" : "new-password"),
        ]
        model.tabs = [("login", "Login"), ("register", "Register")].map {
            Link(
                href: "/apps/mystica/\($0.0)", label: $0.1, testID: "\(id).tab.\($0.0)",
                current: $0.0 == id)
        }
        model.submit = ScreenAction(
            label: label, href: "/apps/mystica/\(id)/submit", testID: "\(id).submit",
            hint: "Double tap to \(id)")
        return model
    }

    // MARK: Verify

    static func mockVerify() -> ScreenModel {
        var model = mock("verify", title: "Verify Your Email", kind: "verify")
        model.text = [
            TextRun(text: "We sent a verification link to "),
            TextRun(text: "rowan@mystica.app", strong: true),
            TextRun(text: ". Please check your inbox."),
        ]
        model.actions["resend"] = .mock(
            "resend", on: "verify", label: "Resend Verification Email", role: "primary")
        model.actions["back"] = .mock(
            "back", on: "verify", label: "Back to Login", role: "secondary")
        return model
    }

    static func mockResent() -> ScreenModel {
        var model = mockVerify()
        model.toast = Message(message: "Verification email sent")
        return model
    }

    // MARK: Settings and map

    static func mockSettings(app: String = "mystica") -> ScreenModel {
        var model = mock("settings", title: "Settings", kind: "settings", app: app)
        model.links["back"] = Link(href: "/apps/\(app)/map", label: "Back", testID: "settings.back")
        model.actions["logout"] = .mock(
            "logout", on: "settings", label: "Logout", role: "destructive", app: app,
            needsConfirmation: true)
        return model
    }

    static func mockConfirmation(app: String = "mystica") -> ScreenModel {
        var model = mockSettings(app: app)
        model.confirm = Confirmation(
            title: "Logout", text: "Are you sure you want to logout?", confirmLabel: "Logout",
            cancelLabel: "Cancel",
            href: "/apps/\(app)/settings/logout", cancelHref: "/apps/\(app)/settings",
            testID: "settings.logout", destructive: true)
        return model
    }

    static func mockMap(app: String = "mystica") -> ScreenModel {
        var model = mock("map", title: "Map", kind: "home", app: app)
        var user: [String: CapturedValue] = [
            "level": .text("1"), "total_atk": .text("10"), "total_def": .text("5"),
            "total_hp": .text("100"),
        ]
        if app == "mystica" { user["email"] = .text("rowan@mystica.app") }
        model.captured["user"] = .object(user)
        model.links["settings"] = Link(
            href: "/apps/\(app)/settings", label: "Settings", testID: "map.settings")
        return model
    }
}
