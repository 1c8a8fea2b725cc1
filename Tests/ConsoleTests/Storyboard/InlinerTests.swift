import Testing

@testable import Console

/// HTML documents that contain all their resources.
@Suite(.timeLimit(.minutes(10))) struct InlinerTests {
    private let inliner = Inliner { address in
        let files = [
            "/assets/a.css": "@import url(\"/assets/b/c.css\");\np { }",
            "/assets/b/c.css": "i { mask: url(\"d.svg\") } b { fill: url(#x) }",
            "/assets/b/d.svg": "<svg/>", "/assets/e.svg": "<svg><symbol id=\"f\"/></svg>",
        ]
        return files[address].map { (Array($0.utf8), "image/svg+xml; a=b") }
    }

    private let drawing = "data:image/svg+xml;base64,PHN2Zy8+"

    @Test func `style sheets are inlined with their imports`() {
        #expect(
            inliner.makeSelfContained("<link rel=\"stylesheet\" href=\"/assets/a.css\">") == """
                <style>i { mask: url("\(drawing)") } b { fill: url(#x) }
                p { }</style>
                """)
    }

    @Test func `images are inlined and scripts are removed`() {
        #expect(
            inliner.makeSelfContained(
                "<script src=\"/x.js\" defer></script><img src=\"/assets/b/d.svg\" alt=\"\">")
                == "<img src=\"\(drawing)\" alt=\"\">")
    }

    @Test func `an SVG symbol is embedded once in the document`() {
        let use = "<use href=\"/assets/e.svg#f\"/>"
        #expect(
            inliner.makeSelfContained("<body>\(use)\(use)</body>") == """
                <body><use href="#f"/><use href="#f"/>\
                <div class="drawings" hidden><svg><symbol id="f"/></svg></div>\
                </body>
                """)
    }

    @Test func `circular imports terminate`() {
        let circular = Inliner { address in
            address == "/assets/a.css" ? (Array("@import url(\"a.css\");".utf8), "text/css") : nil
        }
        #expect(
            circular.makeSelfContained("<link rel=\"stylesheet\" href=\"/assets/a.css\">")
                == "<style></style>")
    }

    @Test func `inlining a style sheet that imports itself is bounded`() {
        let own = String(repeating: "@import url(\"/assets/a.css\");", count: 100)
        let inliner = Inliner { _ in (Array((own + "b{c:url(/assets/d.svg)}").utf8), "text/css") }
        let text = inliner.makeSelfContained("<link rel=\"stylesheet\" href=\"/assets/a.css\">")
        #expect(text.utf8.count < 32 << 20)
        #expect(text.contains("b{c:url("))
    }
}
