import Backend
import Web

/// The profile data of an account, besides e-mail and password.
struct BobProfile: Sendable, Equatable {
    var firstName: String
    var lastName: String
    var phoneNumber: String?
    var role: String

    /// The profile as stored in an account.
    var jsonText: String {
        let json: JSON = [
            "firstName": .string(firstName), "lastName": .string(lastName),
            "phoneNumber": JSON(phoneNumber), "role": .string(role),
        ]
        return json.description
    }

    package init(firstName: String, lastName: String, phoneNumber: String?, role: String) {
        self.firstName = firstName
        self.lastName = lastName
        self.phoneNumber = phoneNumber
        self.role = role
    }

    init(_ account: Account) {
        let json = (try? JSON(parsing: account.profile)) ?? .null
        firstName = json["firstName"]?.string ?? ""
        lastName = json["lastName"]?.string ?? ""
        phoneNumber = json["phoneNumber"]?.string
        role = json["role"]?.string ?? ""
    }
}
