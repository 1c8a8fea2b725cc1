import FoundationEssentials
import Testing

/// Rules for every template.
@Suite(.timeLimit(.minutes(10))) struct TemplateRulesTests {
    static let templates = SourceTree.files("templates", ".mustache")

    @Test func `only layouts render without escaping, and only the page body`() {
        #expect(Self.templates.count > 20)
        for file in Self.templates {
            // A storyboard's page has tiles that a template rendered before.
            let rendered =
                file.path.hasPrefix("templates/layouts/")
                ? "{{{body}}}"
                : file.path == "templates/storyboard/board.mustache" ? "{{{boardsHTML}}}" : nil
            let text = rendered.map { file.text.replacing($0, with: "") } ?? file.text
            #expect(!text.contains("{{{"), "\(file.path)")
            #expect(!text.contains("{{&"), "\(file.path)")
        }
    }

    @Test func `no template contains inline script or style`() throws {
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

    @Test func `every attribute filled by a tag is quoted`() throws {
        let unquoted = try Regex(#"<[a-z][^<>]*\s[a-z-]+=\{\{"#)
        for file in Self.templates {
            #expect(file.text.firstMatch(of: unquoted) == nil, "\(file.path)")
        }
    }

    @Test func `every POST form contains the CSRF token`() {
        for file in Self.templates {
            for form in file.text.components(separatedBy: "<form").dropFirst()
            where form.prefix(while: { $0 != ">" }).contains("method=\"post\"") {
                let content = form.components(separatedBy: "</form>")[0]
                #expect(
                    content.contains("name=\"csrf\"") || content.contains("screens/token")
                        || content.contains("{{/submit}}"), "\(file.path)")
            }
        }
    }

    @Test func `nothing is loaded from another host`() throws {
        let externalURL = try Regex(#"(src|srcset|href|action|url\()=?["'(]?\s*(https?:)?//"#)
        let files =
            Self.templates + SourceTree.files("Public", ".css") + SourceTree.files("Public", ".js")
        for file in files { #expect(file.text.firstMatch(of: externalURL) == nil, "\(file.path)") }
    }
}
