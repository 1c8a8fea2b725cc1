@testable import Console
import Core
import Templates
import Testing
import Web

/// Mystica's screens as the server sends them, before any script runs.
@Suite(.timeLimit(.minutes(10))) struct MysticaScreenTests {
    private func page(_ model: ScreenModel) throws -> String {
        let root = try #require(ProjectRoot.find(from: #filePath))
        let templates = try Templates(folders: [.init(path: root + "/templates")])
        return String(
            decoding: try templates.render(
                "apps/\(model.app.id)/\(model.screen.id)", model, layout: "layouts/screen"),
            as: UTF8.self)
    }

    @Test(arguments: [
        ScreenModel.mockLaunching(), .mockOffline(), .mockLogin(),
        .mockLoading(), .mockLoginFailure(), .mockRegister(),
        .mockFieldErrors(), .mockVerify(), .mockResent(), .mockSettings(),
        .mockConfirmation(), .mockMap(),
        .mockLaunching(app: "mystica-instant"),
        .mockOffline(app: "mystica-instant"),
        .mockSettings(app: "mystica-instant"),
        .mockConfirmation(app: "mystica-instant"),
        .mockMap(app: "mystica-instant"),
    ])
    func `a screen contains no inline styles or scripts`(
        model: ScreenModel
    ) throws {
        let page = try page(model)
        #expect(page.hasPrefix("<!doctype html>"))
        #expect(page.contains("<h1"))
        #expect(!page.contains(" style="))
        #expect(!page.contains("<style"))
        #expect(!page.contains("<script>"))
        #expect(!page.contains("{{"))
    }

    @Test(arguments: [
        ScreenModel.mockLaunching(), .mockOffline(), .mockLogin(), .mockVerify(),
        .mockConfirmation(),
    ]) func `every form contains the CSRF token`(model: ScreenModel) throws {
        let page = try page(model)
        let forms = page.occurrenceCount(of: "<form")
        #expect(forms > 0)
        #expect(page.occurrenceCount(of: "method=\"post\"") == forms)
        #expect(page.occurrenceCount(of: "name=\"csrf\" value=\"token-of-this-page\"") == forms)
    }

    @Test func `typed values are escaped`() throws {
        let page = try page(.mockLogin(email: "\"><script>alert(1)</script>"))
        #expect(!page.contains("<script>alert"))
        #expect(page.contains("&lt;script&gt;"))
    }

    @Test func `a field error is linked to its field and announced`() throws {
        let page = try page(.mockFieldErrors())
        #expect(page.contains("aria-describedby=\"register-email-error\""))
        #expect(page.contains("id=\"register-email-error\" role=\"alert\""))
        #expect(page.contains("data-testid=\"register.password.error\""))
        #expect(page.occurrenceCount(of: " autofocus") == 1)
    }

    @Test func `a failed login shows its message and keeps the email address`() throws {
        let page = try page(.mockLoginFailure())
        #expect(page.contains("data-testid=\"login.error\""))
        #expect(page.contains("Invalid email or password"))
        #expect(page.contains("value=\"rowan@mystica.app\""))
        #expect(page.occurrenceCount(of: "aria-invalid") == 0)
    }

    @Test func `the form is disabled while a submit is in progress`() throws {
        let page = try page(.mockLoading())
        #expect(page.contains("<fieldset class=\"form-body\" disabled>"))
        #expect(page.contains("aria-busy=\"true\""))
    }

    @Test func `the logout confirmation can be canceled without a request`() throws {
        let page = try page(.mockConfirmation())
        #expect(page.contains("role=\"alertdialog\""))
        #expect(page.contains("<main class=\"screen\" inert>"))
        #expect(page.contains("href=\"/apps/mystica/settings\" autofocus"))
        #expect(page.contains("data-testid=\"settings.logout.confirm\""))
    }

    @Test func `the map shows only captured values`() throws {
        var model = ScreenModel.mockMap()
        model.captured["user"] = .object(["email": .text("a@b.c")])
        let page = try page(model)
        #expect(page.contains("a@b.c"))
        #expect(!page.contains("Level"))
        #expect(!page.contains("ATK"))
    }

    @Test func `an empty captured text is shown like a missing one`() {
        #expect(CapturedValue(["bio": "", "name": "Ada"]) == .object(["name": .text("Ada")]))
    }

    @Test func `a storyboard tile is marked as framed and static`() throws {
        var model = ScreenModel.mockResent()
        model.screen.isStatic = true
        model.screen.framed = true
        #expect(try page(model).contains("class=\"framed static dark\""))
    }
}

extension String {
    /// The number of occurrences of `part`.
    fileprivate func occurrenceCount(of part: String) -> Int { ranges(of: part).count }
}
