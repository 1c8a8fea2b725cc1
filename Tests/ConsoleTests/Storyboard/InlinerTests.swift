import Testing

@testable import Console

/// A document that needs nothing else.
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

    @Test func `style sheets come into it with what they import`() {
        #expect(
            inliner.makeSelfContained("<link rel=\"stylesheet\" href=\"/assets/a.css\">") == """
                <style>i { mask: url("\(drawing)") } b { fill: url(#x) }
                p { }</style>
                """)
    }

    @Test func `pictures come into it, scripts leave`() {
        #expect(
            inliner.makeSelfContained(
                "<script src=\"/x.js\" defer></script><img src=\"/assets/b/d.svg\" alt=\"\">")
                == "<img src=\"\(drawing)\" alt=\"\">")
    }

    @Test func `a part of a drawing is found in the document itself`() {
        let use = "<use href=\"/assets/e.svg#f\"/>"
        #expect(
            inliner.makeSelfContained("<body>\(use)\(use)</body>") == """
                <body><use href="#f"/><use href="#f"/>\
                <div class="drawings" hidden><svg><symbol id="f"/></svg></div>\
                </body>
                """)
    }

    @Test func `sheets that import each other come to an end`() {
        let circle = Inliner { address in
            address == "/assets/a.css" ? (Array("@import url(\"a.css\");".utf8), "text/css") : nil
        }
        #expect(
            circle.makeSelfContained("<link rel=\"stylesheet\" href=\"/assets/a.css\">")
                == "<style></style>")
    }
}
