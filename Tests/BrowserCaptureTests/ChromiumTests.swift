import BrowserCapture
import FoundationEssentials
import Testing

/// Finding the browser.
@Suite(.timeLimit(.minutes(10))) struct ChromiumTests {
    @Test func `the first program in PATH with a known name is used`() throws {
        let browser = try FakeBrowser("exit 0")
        let path = "/nowhere:\(browser.folder)"
        #expect(Chromium.find(path: path) == browser.path)
    }

    @Test func `folders and files that are not executable are skipped`() throws {
        let browser = try FakeBrowser("exit 0")
        let files = FileManager.default
        let other = browser.folder + "/other"
        try files.createDirectory(atPath: other + "/chromium", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: other + "/chromium-browser"))
        #expect(Chromium.find(path: other) == nil)
        #expect(Chromium.find(path: "\(other):\(browser.folder)") == browser.path)
    }

    @Test(arguments: ["", ":", ".", "bin:."]) func `the working folder is not searched`(
        path: String
    ) { #expect(Chromium.find(path: path) == nil) }
}
