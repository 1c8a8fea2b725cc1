import TableSchemas
import Testing
import Web

/// The values of PostgreSQL's types.
@Suite(.timeLimit(.minutes(10))) struct ColumnTypeTests {
    @Test(arguments: [
        ("uuid", "0B9C0C6E-3C2A-4B4E-9D8E-111111111111", "0b9c0c6e-3c2a-4b4e-9d8e-111111111111"),
        ("integer", " 7 ", "7"), ("bigint", "9223372036854775807", "9223372036854775807"),
        ("numeric", "1.50", "1.5"), ("numeric", "2.0", "2"), ("double precision", "1e3", "1000"),
        ("boolean", "Yes", "true"), ("boolean", "0", "false"), ("varchar(3)", "abc", "abc"),
        ("timestamptz", "2026-01-02 03:04:05.5+02:00", "2026-01-02T01:04:05.5+00:00"),
        ("timestamptz", "2026-01-02", "2026-01-02T00:00:00+00:00"),
        ("timestamptz", "2026-01-02T03:04Z", "2026-01-02T03:04:00+00:00"),
        ("timestamptz", "2026-01-02T03:04:05-0530", "2026-01-02T08:34:05+00:00"),
        ("timestamp", "2026-01-02T03:04:05.123456+02", "2026-01-02T03:04:05.123456"),
        ("timestamptz", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+00:00"),
        ("timestamptz", "9999-12-31T23:59:59.9999996Z", "10000-01-01T00:00:00+00:00"),
        ("uuid", "{0B9C0C6E-3C2A4B4E-9D8E1111-11111111}", "0b9c0c6e-3c2a-4b4e-9d8e-111111111111"),
        ("uuid", "0b9c0c6e3c2a4b4e9d8e111111111111", "0b9c0c6e-3c2a-4b4e-9d8e-111111111111"),
        ("boolean", " tr ", "true"), ("boolean", "of", "false"), ("boolean", "ye", "true"),
        ("numeric", " .5 ", "0.5"), ("numeric", "nan", "NaN"), ("numeric", "-inf", "-Infinity"),
        ("real", "1.1", "1.1"), ("double precision", "0x1p3", "8"), ("varchar(3)", "abc  ", "abc"),
        ("timestamptz", "2024-1-2 3:4 +2:30", "2024-01-02T00:34:00+00:00"),
        ("timestamptz", "20240102T030405.5Z", "2024-01-02T03:04:05.5+00:00"),
        ("timestamptz", "Tue, 02 Jan 2024 03:04:05 GMT", "2024-01-02T03:04:05+00:00"),
        ("timestamptz", "2024-01-02 03:04:05 PM", "2024-01-02T15:04:05+00:00"),
        ("timestamptz", "2024-01-02 12:00 am", "2024-01-02T00:00:00+00:00"),
        ("timestamptz", "2024-01-02 24:00:00", "2024-01-03T00:00:00+00:00"),
        ("timestamptz", "2024-01-02 03:04:05 EST", "2024-01-02T08:04:05+00:00"),
        ("timestamptz", "0044-03-15 BC", "0044-03-15T00:00:00+00:00 BC"),
        ("timestamptz", "Infinity", "infinity"), ("timestamp", "-infinity", "-infinity"),
        ("timestamp", "2024-01-02 03:04:05.1234567", "2024-01-02T03:04:05.123457"),
        ("date", "1/2/2024", "2024-01-02"), ("date", "2024-Jan-02", "2024-01-02"),
        ("date", "2 January 2024", "2024-01-02"), ("date", "January 2, 2024", "2024-01-02"),
        ("date", "240102", "2024-01-02"), ("date", "2024 01 02", "2024-01-02"),
        ("date", "epoch", "1970-01-01"), ("date", "0001-01-01 BC", "0001-01-01 BC"),
        ("text[]", #"{ a , "b\"c" ,null}"#, #"{a,"b\"c",NULL}"#),
        ("date", "2024-02-29T10:00:00", "2024-02-29"), ("date", "1969-12-31", "1969-12-31"),
        ("integer[]", "{1, NULL,3}", "{1,NULL,3}"), ("text[]", #"{"a,b",c}"#, #"{"a,b",c}"#),
        ("jsonb", #"{"bb":1,"a":[2]}"#, #"{"a":[2],"bb":1}"#),
        // An escaped backslash, not U+0000.
        ("jsonb", #"{"a":"\\u0000"}"#, #"{"a":"\\u0000"}"#),
    ]) func `a text is read and written as PostgreSQL does it`(
        _ type: String, _ text: String, _ expected: String
    ) throws {
        let type = try #require(ColumnType(type))
        let value = try type.value(parsing: text)
        #expect(type.text(of: value) == expected)
        #expect(try type.value(parsing: type.text(of: value)) == value)
    }

    /// The texts of PostgreSQL 15; without a time, its words are no times.
    @Test(arguments: [
        ("uuid", "x", "22P02 invalid input syntax for type uuid: \"x\""),
        (
            "uuid", " 0b9c0c6e3c2a4b4e9d8e111111111111",
            "22P02 invalid input syntax for type uuid: \" 0b9c0c6e3c2a4b4e9d8e111111111111\""
        ),
        (
            "uuid", "0b9c-0c6e3c2a4b4e9d8e111111111111-",
            "22P02 invalid input syntax for type uuid: \"0b9c-0c6e3c2a4b4e9d8e111111111111-\""
        ),
        ("integer", " 1.5", "22P02 invalid input syntax for type integer: \" 1.5\""),
        ("integer", "3000000000", "22003 value \"3000000000\" is out of range for type integer"),
        ("smallint", "40000", "22003 value \"40000\" is out of range for type smallint"),
        (
            "bigint", "99999999999999999999",
            "22003 value \"99999999999999999999\" is out of range for type bigint"
        ),
        ("numeric", "x", "22P02 invalid input syntax for type numeric: \"x\""),
        ("numeric", "0x1", "22P02 invalid input syntax for type numeric: \"0x1\""),
        ("double precision", "1e400", "22003 \"1e400\" is out of range for type double precision"),
        (
            "double precision", "1e-400",
            "22003 \"1e-400\" is out of range for type double precision"
        ),
        ("real", "1e39", "22003 \"1e39\" is out of range for type real"),
        ("boolean", "o", "22P02 invalid input syntax for type boolean: \"o\""),
        ("boolean", "maybe", "22P02 invalid input syntax for type boolean: \"maybe\""),
        ("varchar(3)", "abcd", "22001 value too long for type character varying(3)"),
        (
            "timestamptz", "tomorrow",
            "22007 invalid input syntax for type timestamp with time zone: \"tomorrow\""
        ),
        (
            "timestamptz", "later",
            "22007 invalid input syntax for type timestamp with time zone: \"later\""
        ),
        ("timestamptz", "2026-02-30", "22008 date/time field value out of range: \"2026-02-30\""),
        (
            "timestamptz", "2026-13-01",
            "22008 date/time field value out of range: \"2026-13-01\" Perhaps you "
                + "need a different \"datestyle\" setting."
        ),
        (
            "timestamptz", "2026-01-02 25:00",
            "22008 date/time field value out of range: \"2026-01-02 25:00\""
        ),
        (
            "timestamptz", "2026-01-02 03:04+16",
            "22009 time zone displacement out of range: \"2026-01-02 03:04+16\""
        ),
        ("timestamptz", "294277-01-01", "22008 timestamp out of range: \"294277-01-01\""),
        (
            "timestamptz", "2026-01-02T03",
            "22007 invalid input syntax for type timestamp with time zone: \"2026-01-02T03\""
        ),
        (
            "timestamptz", "04:05:06",
            "22007 invalid input syntax for type timestamp with time zone: \"04:05:06\""
        ),
        (
            "timestamptz", "1704164645",
            "22008 date/time field value out of range: \"1704164645\" Perhaps you "
                + "need a different \"datestyle\" setting."
        ),
        (
            "timestamptz", "2026-01-02 13:00 pm",
            "22008 date/time field value out of range: \"2026-01-02 13:00 pm\""
        ),
        ("timestamp", "x", "22007 invalid input syntax for type timestamp: \"x\""),
        ("date", "2026-1", "22007 invalid input syntax for type date: \"2026-1\""),
        (
            "date", "99-01-02",
            "22008 date/time field value out of range: \"99-01-02\" Perhaps you need "
                + "a different \"datestyle\" setting."
        ),
        ("date", "0000-01-01", "22008 date/time field value out of range: \"0000-01-01\""),
        ("date", "", "22007 invalid input syntax for type date: \"\""),
        (
            "text[]", "a",
            "22P02 malformed array literal: \"a\" Array value must start with \"{\" or "
                + "dimension information."
        ),
        ("integer[]", "{x}", "22P02 invalid input syntax for type integer: \"x\""),
        ("text[]", "{a", "22P02 malformed array literal: \"{a\" Unexpected end of input."),
        ("text[]", "{a,}", "22P02 malformed array literal: \"{a,}\" Unexpected \"}\" character."),
        (
            "text[]", "{a}b",
            "22P02 malformed array literal: \"{a}b\" Junk after closing right brace."
        ),
        ("text[]", "{a\"b}", "22P02 malformed array literal: \"{a\"b}\" Unexpected array element."),
        (
            "jsonb", "{",
            "22P02 invalid input syntax for type json The input string ended unexpectedly."
        ),
        (
            "jsonb", "[1,]",
            "22P02 invalid input syntax for type json Expected JSON value, but found \"]\"."
        ),
        (
            "jsonb", "{\"a\":1,}",
            "22P02 invalid input syntax for type json Expected string, but found \"}\"."
        ),
        (
            "jsonb", "{\"a\" 1}",
            "22P02 invalid input syntax for type json Expected \":\", but found \"1\"."
        ),
        (
            "jsonb", "{\"a\":1 2}",
            "22P02 invalid input syntax for type json Expected \",\" or \"}\", but found \"2\"."
        ),
        (
            "jsonb", "{1:2}",
            "22P02 invalid input syntax for type json Expected string or \"}\", but found \"1\"."
        ),
        (
            "jsonb", "1 2",
            "22P02 invalid input syntax for type json Expected end of input, but found \"2\"."
        ),
        ("jsonb", "{'a':1}", "22P02 invalid input syntax for type json Token \"'\" is invalid."),
        ("jsonb", "01", "22P02 invalid input syntax for type json Token \"01\" is invalid."),
        ("jsonb", "\"x", "22P02 invalid input syntax for type json Token \"\"x\" is invalid."),
        (
            "jsonb", "\"\\x\"",
            "22P02 invalid input syntax for type json Escape sequence \"\\x\" is invalid."
        ),
        (
            "jsonb", "\"\\u00g0\"",
            "22P02 invalid input syntax for type json \"\\u\" must be followed by "
                + "four hexadecimal digits."
        ),
        (
            "jsonb", "\"\t\"",
            "22P02 invalid input syntax for type json Character with value 0x09 must be escaped."
        ),
        (
            "jsonb", "[1 2]",
            "22P02 invalid input syntax for type json Expected \",\" or \"]\", but found \"2\"."
        ),
    ]) func `an invalid text has PostgreSQL's error`(
        _ type: String, _ text: String, _ expected: String
    ) throws {
        let type = try #require(ColumnType(type))
        let error = try #require(throws: ValueError.self) { try type.value(parsing: text) }
        let parts = [error.code, error.message, error.details, error.hint]
        #expect(parts.compactMap(\.self).joined(separator: " ") == expected)
    }

    @Test(arguments: [
        ("integer", #""7.0""#, "22P02 invalid input syntax for type integer: \"7.0\""),
        ("text", #""a\u0000""#, "22P05 unsupported Unicode escape sequence"),
        ("jsonb", #"{"a":"\u0000"}"#, "22P05 unsupported Unicode escape sequence"),
        ("text[]", "1", "22P02 expected JSON array"),
    ]) func `an invalid value of a body has PostgreSQL's error`(
        _ type: String, _ json: String, _ expected: String
    ) throws {
        let type = try #require(ColumnType(type))
        let error = try #require(throws: ValueError.self) {
            try type.value(of: try JSON(parsing: json))
        }
        #expect("\(error.code) \(error.message)" == expected)
    }

    @Test func `words for times mean the time of the request`() throws {
        let now: Int64 = 1_767_323_045_500_000
        for (text, expected) in [
            ("now", "2026-01-02T03:04:05.5+00:00"), ("NOW()", "2026-01-02T03:04:05.5+00:00"),
            ("today", "2026-01-02T00:00:00+00:00"),
            ("yesterday 10:00", "2026-01-01T10:00:00+00:00"),
        ] {
            let value = try ColumnType(.timestamptz).value(parsing: text, now: now)
            #expect(value == .string(expected))
        }
        #expect(try ColumnType(.date).value(parsing: "tomorrow", now: now) == "2026-01-03")
    }

    @Test(arguments: ["", "uid", "varchar()", "varchar(0)", "text(3)", "[]", "text[][]"])
    func `an unknown type is none`(_ name: String) { #expect(ColumnType(name) == nil) }

    @Test func `times are in order as texts`() throws {
        let type = ColumnType(.timestamptz)
        let texts = [
            "-infinity", "0044-03-15 BC", "0001-01-01", "2026-01-02T03:04:05Z",
            "2026-01-02T03:04:05.05Z", "2026-01-02T03:04:05.5Z",
            "2026-01-02T03:04:06Z", "10000-01-01", "infinity",
        ]
        let values = try texts.map { try type.value(parsing: $0) }
        for (earlier, later) in zip(values, values.dropFirst()) {
            #expect(type.compare(earlier, later) < 0)
        }
    }
}
