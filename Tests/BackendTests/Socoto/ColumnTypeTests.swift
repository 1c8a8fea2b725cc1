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
        ("timestamptz", "9999-12-31T23:59:59.9999996Z", "9999-12-31T23:59:59.999999+00:00"),
        ("date", "2024-02-29T10:00:00", "2024-02-29"), ("date", "1969-12-31", "1969-12-31"),
        ("integer[]", "{1, NULL,3}", "{1,NULL,3}"), ("text[]", #"{"a,b",c}"#, #"{"a,b",c}"#),
        ("jsonb", #"{"bb":1,"a":[2]}"#, #"{"a":[2],"bb":1}"#),
    ]) func `a text is read and written as PostgreSQL does it`(
        _ type: String, _ text: String, _ expected: String
    ) throws {
        let type = try #require(ColumnType(type))
        let value = try type.value(parsing: text)
        #expect(type.text(of: value) == expected)
        #expect(try type.value(parsing: type.text(of: value)) == value)
    }

    @Test(arguments: [
        ("uuid", "x", "22P02"), ("integer", "1.5", "22P02"), ("integer", "3000000000", "22003"),
        ("smallint", "40000", "22003"), ("bigint", "99999999999999999999", "22003"),
        ("numeric", "x", "22P02"), ("boolean", "maybe", "22P02"), ("varchar(3)", "abcd", "22001"),
        ("timestamptz", "tomorrow", "22007"), ("timestamptz", "2026-02-30", "22008"),
        ("date", "2026-1", "22007"), ("text[]", "a", "22P02"), ("integer[]", "{x}", "22P02"),
        ("text[]", "{a", "22P02"), ("text[]", "{a,}", "22P02"), ("jsonb", "{", "22P02"),
    ]) func `an invalid text has PostgreSQL's error`(
        _ type: String, _ text: String, _ code: String
    ) throws {
        let type = try #require(ColumnType(type))
        let error = try #require(throws: ValueError.self) { try type.value(parsing: text) }
        #expect(error.code == code)
    }

    @Test(arguments: ["", "uid", "varchar()", "varchar(0)", "text(3)", "[]", "text[][]"])
    func `an unknown type is none`(_ name: String) { #expect(ColumnType(name) == nil) }

    @Test func `times are in order as texts`() throws {
        let type = ColumnType(.timestamptz)
        let texts = [
            "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.05Z", "2026-01-02T03:04:05.5Z",
            "2026-01-02T03:04:06Z",
        ]
        let values = try texts.map { try type.value(parsing: $0) }
        for (earlier, later) in zip(values, values.dropFirst()) {
            #expect(type.compare(earlier, later) < 0)
        }
    }
}
