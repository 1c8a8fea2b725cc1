import Support
import Web

/// Registration, sign-in and devices.
extension MysticaCase {
    static let credentials = #"{"email":"ada@example.com","password":"correct horse"}"#

    static let accounts: [MysticaCase] = [
        .post("register/created", "/auth/register", credentials),
        .post(
            "register/email-in-capitals", "/auth/register",
            #"{"email":" Ada@Example.COM ","password":"correct horse"}"#),
        .post("register/missing", "/auth/register", #"{"email":""}"#),
        .post(
            "register/no-email", "/auth/register", #"{"email":"a@b","password":"correct horse"}"#),
        .post(
            "register/weak", "/auth/register", #"{"email":"ada@example.com","password":"1234567"}"#),
        .post(
            "register/eight-characters", "/auth/register",
            #"{"email":"ada@example.com","password":"12345678"}"#),
        MysticaCase(name: "register/email-exists") { fixture in
            await fixture.register()
            return .mysticaPost("/auth/register", credentials)
        },
        MysticaCase(name: "login/signed-in") { fixture in
            try await fixture.registerVerified()
            return .mysticaPost("/auth/login", credentials)
        },
        MysticaCase(name: "login/wrong-password") { fixture in
            try await fixture.registerVerified()
            return .mysticaPost("/auth/login", #"{"email":"ada@example.com","password":"abc"}"#)
        }, .post("login/unknown", "/auth/login", credentials),
        .post("login/missing", "/auth/login", #"{"password":"x"}"#),
        MysticaCase(name: "login/unverified") { fixture in
            await fixture.register()
            return .mysticaPost("/auth/login", credentials)
        },
        MysticaCase(name: "login/unverified-wrong-password") { fixture in
            await fixture.register()
            return .mysticaPost("/auth/login", #"{"email":"ada@example.com","password":"abc"}"#)
        },
        .post(
            "register-device/first", "/auth/register-device",
            #"{"device_id":"0B54A7A2-53B2-4F8E-9D5C-1C5A6C1F6F10"}"#),
        MysticaCase(name: "register-device/again") { fixture in
            _ = await fixture.registerDevice()
            fixture.frozen.advance(by: 60)
            return .mysticaPost(
                "/auth/register-device", #"{"device_id":"0b54a7a2-53b2-4f8e-9d5c-1c5a6c1f6f10"}"#)
        }, .post("register-device/missing", "/auth/register-device", "{}"),
        .post("register-device/no-uuid", "/auth/register-device", #"{"device_id":"my phone"}"#),
    ]
}
