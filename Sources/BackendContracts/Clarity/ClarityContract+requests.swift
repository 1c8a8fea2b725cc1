import Backend

/// What requests to Identity Toolkit and Secure Token may contain.
extension ClarityContract {
    static let requestHeaders = ["Authorization", "x-goog-api-key"]

    /// The key is in the query of every request of a client.
    static func requestFields(of path: String) -> [RequestField] {
        let method = path.split { "/:".contains($0) }.last.map(String.init) ?? ""
        return RequestField.parse("?key") + (fields[method] ?? [])
    }

    private static let fields = Dictionary(
        uniqueKeysWithValues: table.split(separator: "\n").flatMap { line in
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            let fields = RequestField.parse(parts[1])
            return parts[0].split(separator: ",").map { (String($0), fields) }
        })

    /// By the methods' names.
    private static let table = """
        accounts,signUp,signupNewUser email password displayName idToken localId phoneNumber \
        emailVerified:boolean disabled:boolean photoUrl returnSecureToken:boolean mfaInfo:array
        signInWithPassword,verifyPassword email password returnSecureToken:boolean
        lookup,getAccountInfo idToken localId:array email:array phoneNumber:array \
        federatedUserId:array
        update,setAccountInfo idToken oobCode localId email password displayName photoUrl \
        deleteAttribute:array deleteProvider:array returnSecureToken:boolean \
        emailVerified:boolean disableUser:boolean phoneNumber customAttributes validSince:integer \
        mfa:object linkProviderUserInfo:object
        sendOobCode,getOobConfirmationCode \
        requestType:PASSWORD_RESET|VERIFY_EMAIL|EMAIL_SIGNIN|VERIFY_AND_CHANGE_EMAIL email idToken \
        newEmail continueUrl canHandleCodeInApp:boolean returnOobLink:boolean
        resetPassword oobCode newPassword email
        delete,deleteAccount idToken localId
        createAuthUri identifier continueUri providerId
        signInWithEmailLink,emailLinkSignin email oobCode idToken
        signInWithCustomToken,verifyCustomToken token returnSecureToken:boolean
        sendVerificationCode phoneNumber recaptchaToken
        signInWithPhoneNumber,verifyPhoneNumber sessionInfo code phoneNumber temporaryProof idToken
        signInWithIdp,verifyAssertion postBody requestUri idToken returnSecureToken:boolean \
        returnIdpCredential:boolean pendingToken autoCreate:boolean
        batchCreate,uploadAccount users:array hashAlgorithm allowOverwrite:boolean
        batchDelete localIds:array force:boolean
        batchGet ?maxResults:integer ?nextPageToken
        query returnUserInfo:boolean limit offset expression:array
        {project} idToken validDuration
        token grant_type refresh_token grantType refreshToken
        start idToken phoneEnrollmentInfo:object totpEnrollmentInfo:object \
        mfaPendingCredential mfaEnrollmentId phoneSignInInfo:object
        finalize idToken displayName phoneVerificationInfo:object totpVerificationInfo:object \
        mfaPendingCredential mfaEnrollmentId
        withdraw idToken mfaEnrollmentId
        action ?mode:verifyEmail|resetPassword|signIn|verifyAndChangeEmail|recoverEmail ?oobCode \
        ?apiKey ?continueUrl ?newPassword
        """
}
