import Testing

@testable import DesignTokens

@Suite(.timeLimit(.minutes(10))) struct TokenValueTests {
    @Test(arguments: [
        ("#fff", "#ffffff"), ("#0A84FF", "#0a84ff"),
        ("rgb(0, 122, 255)", "#007aff"), ("rgb(0 122 255)", "#007aff"),
        ("rgba(0, 0, 0, .24)", "rgba(0, 0, 0, 0.24)"),
        ("rgb(0 0 0 / 50%)", "rgba(0, 0, 0, 0.5)"),
        ("#00000080", "rgba(0, 0, 0, 0.502)"),
        ("hsl(120, 100%, 25%)", "#008000"),
        ("hsl(0deg 100% 50%)", "#ff0000"), ("white", "#ffffff"),
    ])
    func `a color is parsed in every notation`(
        text: String, css: String
    ) throws {
        #expect(try #require(Color(text)).css == css)
    }

    @Test(arguments: [
        "#ff", "#ggg", "rgb(1, 2)", "blurple", "12px", "",
        "hsl(nan, 50%, 50%)", "hsl(inf 50% 50%)", "hsl(1e999deg 50% 50%)",
        "rgb(1e300 -1e300 nan)", "hsl(1e300 0% 100%)",
    ])
    func `an invalid color is rejected`(text: String) {
        #expect(Color(text) == nil)
    }

    @Test func `values are classified by kind`() {
        #expect(TokenValue("16px") == .length(number: 16, unit: "px"))
        #expect(TokenValue(".5rem") == .length(number: 0.5, unit: "rem"))
        #expect(TokenValue("1") == .number(1))
        #expect(TokenValue("155.2deg") == .other("155.2deg"))
        #expect(
            TokenValue("ui-rounded, \"SF Pro\", sans-serif")
                == .fonts(["ui-rounded", "SF Pro", "sans-serif"]))
        #expect(TokenValue("calc(1px + 2rem)").kind == .other)
        #expect(TokenValue("0 1px 2px rgb(0 0 0 / .5)").kind == .shadow)
        #expect(TokenValue("url(\"/a.svg\")").kind == .other)
    }

    @Test func `gradient stops without a position are spaced evenly`() throws {
        let value = TokenValue("linear-gradient(90deg, #000, #111 30%, #222, #fff 80%)")
        guard case .gradient(let gradient) = value else {
            Issue.record("it is no gradient")
            return
        }
        #expect(gradient.direction == "90deg")
        #expect(gradient.stops.map { ($0.position * 100).rounded() } == [0, 30, 55, 80])
    }

    @Test func `var and light-dark are resolved, cycles are not`() {
        let values = [
            "--a": "light-dark(#fff, var(--b))", "--b": "#123456",
            "--c": "var(--d)", "--d": "var(--c)", "--e": "var(--none, 4px)",
            "--f": "calc(2 * var(--e))",
        ]
        let light = CustomProperties(values: values, appearance: .light)
        let dark = CustomProperties(values: values, appearance: .dark)
        #expect(light["--a"] == "#fff")
        #expect(dark["--a"] == "#123456")
        #expect(light["--c"] == nil)
        #expect(light["--e"] == "4px")
        #expect(light["--f"] == "calc(2 * 4px)")
        #expect(light["--none"] == nil)
    }

    @Test(arguments: [
        ("#777", "#fff", 4.48), ("#000", "#fff", 21), ("#fff", "#fff", 1),
        ("#767676", "#fff", 4.54), ("#0000ff", "#ffffff", 8.59),
        ("rgba(0, 0, 0, .5)", "#fff", 3.98),
    ]) func `contrast ratios match WCAG`(foreground: String, background: String, ratio: Double)
        throws
    {
        let measured = Contrast.ratio(
            try #require(Color(foreground)), on: try #require(Color(background)))
        #expect(abs(measured - ratio) < 0.01)
    }

    @Test func `a contrast ratio is never rounded up`() {
        #expect(Contrast.format(4.478) == "4.48")
        #expect(Contrast.format(4.4999) == "4.49")
        #expect(Contrast.format(21) == "21.00")
        #expect(Contrast.Grade(4.4999) == .aaLarge)
        #expect(Contrast.Grade(4.5) == .aa)
        #expect(Contrast.Grade(2.9) == .fails)
    }

    @Test(arguments: [
        "", "red; color: blue", "red } a {", "red </style", "red !important", "red /* x",
        "rgb(0, 0, 0", "a)b(", "\"x", "\\41",
    ]) func `a value that could escape its declaration is rejected`(text: String) {
        #expect(CSSText.validationError(text) != nil)
    }

    @Test func `values of common kinds are accepted`() {
        for text in [
            "#fff", "light-dark(#fff, rgba(0, 0, 0, .5))",
            "Impact, \"Arial Narrow Bold\", sans-serif", "linear-gradient(#1c0e09, #2d1810 30%)",
            "calc(1px + 2rem)",
        ] { #expect(CSSText.validationError(text) == nil, "\(text)") }
    }
}
