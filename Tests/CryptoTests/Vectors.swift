/// Example keys and tokens of the standards.
enum Vectors {
    static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
        + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// RFC 7515, A.1.
    static let hs256Key = """
        {"kty":"oct","kid":"a1","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJ\
        QLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}
        """
    static let hs256Token =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + claims
        + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    /// RFC 7515, A.2.
    static let rs256Key = """
        {"kty":"RSA","kid":"a2","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcy\
        QoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2l\
        ZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHS\
        XndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlx\
        vb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFk\
        MLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"}
        """
    static let rs256Token =
        "eyJhbGciOiJSUzI1NiJ9." + claims
        + ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7"
        + "AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4"
        + "BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K"
        + "0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqv"
        + "hJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrB"
        + "p0igcN_IoypGlUPQGe77Rw"

    /// RFC 7515, A.3.
    static let es256Key = """
        {"kty":"EC","crv":"P-256","kid":"a3",\
        "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",\
        "d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}
        """
    static let es256Token =
        "eyJhbGciOiJFUzI1NiJ9." + claims
        + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSA"
        + "pmWQxfKTUJqPP3-Kg6NU1Q"

    /// RFC 8037, A.1 and A.4; its payload is a sentence, not JSON.
    static let edDSAKey = """
        {"kty":"OKP","crv":"Ed25519","kid":"a4",\
        "d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",\
        "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
        """
    static let edDSAToken =
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
        + ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5B"
        + "hVsPt9g7sVvpAr_MuM0KAg"

    /// RFC 7515, A.5.
    static let unsecured = "eyJhbGciOiJub25lIn0." + claims + "."

    /// RFC 7517, A.1: the first is for encryption.
    static let publicSet = """
        {"keys":[{"kty":"EC","crv":"P-256",\
        "x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",\
        "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",\
        "use":"enc","kid":"1"},{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nn\
        drQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebW\
        KRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ\
        5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5haj\
        rn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G\
        _xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB",\
        "alg":"RS256","kid":"2011-04-29"}]}
        """

    static func set(_ keys: String...) -> String {
        "{\"keys\":[" + keys.joined(separator: ",") + "]}"
    }
}

extension String {
    /// Base64 without padding, in the URL-safe alphabet (RFC 4648, section 5).
    var base64URL: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        var remaining = Array(utf8)[...]
        while let first = remaining.first {
            let group = [first] + remaining.dropFirst().prefix(2)
            let padded = group + Array(repeating: 0, count: 3 - group.count)
            let bits = padded.reduce(0) { $0 << 8 | Int($1) }
            for position in 0...group.count {
                text.append(alphabet[bits >> (18 - 6 * position) & 63])
            }
            remaining = remaining.dropFirst(3)
        }
        return text
    }
}
