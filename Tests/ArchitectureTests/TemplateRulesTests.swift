import FoundationEssentials
import Testing

/// What no template may hold.
@Suite(.timeLimit(.minutes(10))) struct TemplateRulesTests {
    static let templates = SourceTree.files("templates", ".mustache")

    @Test func `only a layout writes without escaping and only its body`() {
        #expect(Self.templates.count > 20)
        for file in Self.templates {
            let rest =
                file.path.hasPrefix("templates/layouts/")
                ? file.text.replacing("{{{body}}}", with: "") : file.text
            #expect(!rest.contains("{{{"), "\(file.path)")
            #expect(!rest.contains("{{&"), "\(file.path)")
        }
    }

    @Test func `no template carries script or style of its own`() throws {
        // An attribute starts after white space, and only inside a tag.
        let attribute = try Regex(#"<[^<>]*\s(style|on[a-z]+)\s*="#)
        for file in Self.templates {
            #expect(!file.text.contains("<style"), "\(file.path)")
            #expect(file.text.firstMatch(of: attribute) == nil, "\(file.path)")
            #expect(!file.text.contains("javascript:"), "\(file.path)")
            for script in file.text.components(separatedBy: "<script").dropFirst() {
                #expect(script.hasPrefix(" src=\"/assets/"), "\(file.path)")
                #expect(script.contains("></script>"), "\(file.path)")
            }
        }
    }

    @Test func `every attribute with a value is quoted`() throws {
        let bare = try Regex(#"<[a-z][^<>]*\s[a-z-]+=\{\{"#)
        for file in Self.templates {
            #expect(file.text.firstMatch(of: bare) == nil, "\(file.path)")
        }
    }

    @Test func `every form that posts carries its session's token`() {
        for file in Self.templates {
            for form in file.text.components(separatedBy: "<form").dropFirst()
            where form.prefix(while: { $0 != ">" }).contains("method=\"post\"") {
                let inside = form.components(separatedBy: "</form>")[0]
                #expect(
                    inside.contains("name=\"csrf\"") || inside.contains("screens/token")
                        || inside.contains("{{/submit}}"), "\(file.path)")
            }
        }
    }

    @Test func `nothing is loaded from anywhere else`() throws {
        let loads = try Regex(#"(src|srcset|href|action|url\()=?["'(]?\s*(https?:)?//"#)
        let files =
            Self.templates + SourceTree.files("Public", ".css") + SourceTree.files("Public", ".js")
        for file in files { #expect(file.text.firstMatch(of: loads) == nil, "\(file.path)") }
    }
}
