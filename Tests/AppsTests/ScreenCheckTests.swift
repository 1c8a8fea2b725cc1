import Apps
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct ScreenCheckTests {
    /// A form with these fields and rules about several fields.
    private func screen(fields: String, rules: String = "[]", submit: String = "") throws -> Screen
    {
        let app = try Manifests.app(
            (
                "register: { kind: 'page', title: 'Register',",
                """
                register: { kind: 'form', title: 'Register', rules: \(rules),
                  fields: \(fields), submit: { label: 'Go', \(submit) },
                  actions: { other: { label: 'Other' } },
                """
            ))
        return try #require(app.screen("register"))
    }

    private func errors(_ screen: Screen, _ values: [String: String]) throws -> [String: String] {
        screen.check(values, for: try #require(screen.submitAction))
    }

    @Test(arguments: [
        ("required: true", "", false), ("required: true", " ", false),
        ("required: true", "x", true), ("min: 3", "ab", false),
        ("min: 3", "abc", true), ("min: 2", "👨‍👩‍👧", true),
        ("max: 2", "abc", false),
        ("max: 2", "", true), ("oneOf: ['a', 'b']", "c", false),
        ("oneOf: ['a', 'b']", "b", true), ("pattern: 'a+'", "aa", true),
        ("pattern: 'a+'", "aab", false), ("pattern: 'a+'", " aa ", true),
    ])
    func `a rule accepts or refuses a value`(
        rule: String, value: String, isValid: Bool
    ) throws {
        let screen = try screen(
            fields: "{ a: { type: 'text', label: 'A', rules: [{ \(rule), message: 'no' }] } }")
        #expect(try errors(screen, ["a": value]) == (isValid ? [:] : ["a": "no"]))
    }

    @Test func `a field that must equal a required field is required too`() throws {
        let screen = try screen(
            fields: "{ p: { type: 'password', label: 'P', rules: [{ min: 3, message: '1' }] },"
                + " again: { type: 'password', label: 'A', allowEmpty: true,"
                + " rules: [{ same: 'p', message: '2' }] },"
                + " free: { type: 'text', label: 'F' } }", submit: "enabled: 'valid'")
        #expect(screen.requiredFields == ["p", "again"])
        let submit = try #require(screen.submitAction)
        #expect(screen.blockingErrors(["p": "abc"], for: submit) == ["again": "2"])
        #expect(screen.blockingErrors(["p": "abc", "again": "abc"], for: submit) == [:])
    }

    @Test func `the first broken rule is the field's error`() throws {
        let screen = try screen(
            fields: "{ a: { type: 'text', label: 'A', rules: ["
                + "{ required: true, message: '1' }, { min: 3, message: '2' }] } }")
        #expect(try errors(screen, [:]) == ["a": "1"])
        #expect(try errors(screen, ["a": "x"]) == ["a": "2"])
    }

    @Test func `white space is trimmed as in ECMAScript, except in passwords`() throws {
        let screen = try screen(
            fields: "{ a: { type: 'email', label: 'A' }, p: { type: 'password', label: 'P' } }"
        )
        let values = ["a": "\u{FEFF}\u{A0}\t x y \n", "p": " x "]
        #expect(screen.variables(values) == ["a": "x y", "p": " x "])
    }

    @Test(arguments: ["on", "true", "1"]) func `a required toggle must be on`(value: String)
        throws
    {
        let screen = try screen(
            fields: "{ t: { type: 'toggle', label: 'T',"
                + " rules: [{ required: true, message: 'no' }] } }")
        #expect(try errors(screen, ["t": value]).isEmpty)
        #expect(try errors(screen, ["t": "off"]) == ["t": "no"])
        #expect(try errors(screen, [:]) == ["t": "no"])
        #expect(screen.variables(["t": value]) == ["t": true])
    }

    @Test func `an action checks only the fields it names`() throws {
        let screen = try screen(
            fields: "{ a: { type: 'text', label: 'A',"
                + " rules: [{ required: true, message: 'no' }] },"
                + " b: { type: 'text', label: 'B',"
                + " rules: [{ required: true, message: 'no' }] } }", submit: "checks: ['b']")
        #expect(try errors(screen, [:]) == ["b": "no"])
        let other = try #require(screen.action("other"))
        #expect(screen.check([:], for: other).isEmpty)
    }

    @Test func `rules about several fields are checked first, with one error at a time`() throws {
        let screen = try screen(
            fields: "{ a: { type: 'text', label: 'A', rules: [{ min: 9, message: 'own' }] },"
                + " b: { type: 'text', label: 'B' } }",
            rules: "[{ fields: ['a', 'b'], required: true, message: 'all' }]")
        #expect(try errors(screen, ["a": "x"]) == ["b": "all"])
        #expect(try errors(screen, ["a": "x", "b": "y"]) == ["a": "own"])
    }

    @Test func `only live rules are checked while typing`() throws {
        let screen = try screen(
            fields: "{ a: { type: 'text', label: 'A', rules: [{ min: 9, message: 'later' }] },"
                + " b: { type: 'text', label: 'B', rules: ["
                + "{ same: 'a', message: 'now', live: true }] } }")
        #expect(screen.checkWhileTyping(["a": "x", "b": "y"]) == ["b": "now"])
        #expect(screen.checkWhileTyping(["a": "x", "b": ""]).isEmpty)
    }

    @Test func `a very long value is checked quickly`() throws {
        let screen = try screen(
            fields: "{ a: { type: 'text', label: 'A', rules: ["
                + "{ pattern: '([a-z]+)+@', message: 'no' }] } }")
        let long = String(repeating: "a", count: 1_000_000)
        #expect(try errors(screen, ["a": long]) == ["a": "no"])
    }
}
