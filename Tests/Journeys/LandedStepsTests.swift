import Backend
import Crypto
import SQLite
import Simulator
import Testing
import Traffic

/// The released migrations of every database.
///
/// Files of other versions record them by name, so a released migration never changes and keeps its
/// position. A migration is only text, so the digest covers all of it.
@Suite(.timeLimit(.minutes(10))) struct LandedStepsTests {
    /// Database, migration, and the SHA-256 of its SQL, in the order they run.
    static let released = """
        devices devices-1 00fcc12908bd2dcdf4ddcb1115391eecac9ea18e0a30f1f39bf9849941194b68
        devices devices-2 6748654f16f9900ea5471120edaaadf85151e9ae6abe14651aadda275916c42b
        devices session-tokens-1 17fbc91a52ed9f17d23b9de5da762204c6c0d693af65b53305159bc37bdaec91
        devices devices-snapshots cd02262d39eeb57b12760d85b002a0a494c8c4d4027f73ca76173840abb27405
        devices devices-restores 074d4b4f1e50ceeea977d4a86a9e87af28a722e6322debafc3db2225b2eddb5b
        devices session-words-2 7250ed139b1677e709920560ea2ee9a7a4bf9071febbeb1c073d024977adf04c
        devices devices-display 7114bc23bd32becbd32f54a5d79216ec20f737e5ffa3bb657d21eedfd310f5e3
        devices session-words-3 76f76dabfbe01969feb8e3b1677864478305301f2abdfffed17f2879e996f5c0
        devices session-standing-1 579d2aa63b8e299d8b2c748328b31be7c7f4d1df43bb7abba16f72e5ebb6543a
        devices flow-1 be48362072d49a83f30e1347ed1b68e048e19450b8052edc44c107eaa4da8b62
        devices session-moments-2 1a36db8bb60bda118729e355ab975b8ffb57f4d939e63341db2fb32da7f50ae8
        devices plain-names-1 62387b916528491f399a84230f98ede6b5f0ed083ae9586a3f6009a2770e06bb
        devices session-expiry-1 07a48413936d4c547b1ab3ce13c5ac870994fb858e91381700a7bbd1004e2470
        traffic exchanges-1 20d4410fc127a22ee359e76326f8536d7ad5fc166b1eca133ea013e6b5210bbb
        traffic events-1 8dbdb8c6e076a2fe8febdcb2f3491fe05ec836d5b97750374b22db6771210f40
        traffic exchanges-2 8d436e1351b6a10d20b4a1bf30c89f25000d2a62414cb55b8e6812f366b2cc92
        traffic conditions-1 339f7552f787c67617ed2b6a5700fa5ec6be89e5cd19607c11aaa3554c36fe60
        traffic exchange-checks-1 08a6a75b63112e34fc1283c8fca9106f87599e43b09eb62962f6abd55c2cfb26
        traffic exchange-lists-1 18f36ac2474f245e6222eb05b364a1655962c53f95eb8190b5b46dfc4ffce83f
        traffic exchange-lists-2 76c9824a861c3d0ef3928090248f72d911dd37f62c5bf62f0966c220620b1c39
        traffic exchanges-recorded-1 594106518d69d140466d3272e637e30eea5b12710fa32a8bb7a2f5f5f9493ecd
        traffic exchange-words-3 030ff08b49652d2d41b4ef8bb3dc9aad977038482f18fea7b774d34cacd416fa
        traffic exchange-words-4 d98d2c76fd1005346057a33d01759f5e8f86364173678d88cae5a4bbf73c42b2
        traffic plain-names-1 e2ff15a77725d21b779a53982fee2d35b2a1516782c0865e5e942c04af2c4aae
        traffic exchange-lists-3 66964006c8eaaf0a5a73b24f1b2651bab2fd4a1bcad7fc0033fcdc70adc2f1ab
        traffic rules-1 0e9e9f9cae37153ea2ba5c49bf7682af1d9d66a384ee299f7215c4c015a742aa
        traffic exchange-text-1 e330a1d169f506b5b816253cf171d67141614ce6c8c491aba15cf9908b7c5f1f
        traffic exchange-lists-4 d752cafdcb78213fa9dd0ab7e025caf155210ca8b102880259f62f2268f0504c
        backend backend-1 9aea20dc9a1891920a28f6f2fec27fe574bcbfc39676ba150073e476a318728a
        backend backend-2 e9c065d3e117f50f9c2cc7c45b35ecf135e4377de38da2152e615881917eb9f0
        backend backend-3 3e999798612b423d67d5283d322c0ff8055f14ff9b6247f31f7d5d208fa67fbf
        backend backend-4 6b46d01b3eac2eb18d23333734f8819861b4a08b140a2233fb11783947ce97e4
        backend backend-people ff680817ffcd9a0336e64e04d37b6ae3743e96332de8912b6503a52e109b4357
        backend refresh-tokens-1 e496b25694068542d362f6784f6272648eeb86c84385474fdcc4df6e4169cad4
        backend backend-snapshots dd28a1ce35ebe552a44b02a35581930ac43cf4971df7fe1989cca2299e5827f6
        backend session-ends-1 06bdc18def31a679a3814c855724242a1a55c5a6aeeba86bda97a7bade861327
        backend session-ends-2 315a2b3198d527c3f0b430cac556f869beaf9775065732418d7ccfc70a6fa4ca
        backend backend-workspaces 65fadf2bb0b4201627242d53bf7f945ff55ad83fc0ad3bb76d07f047a544a54e
        backend plain-names-1 e8b3579346ece45f3b0108c5dccf1b5e3d2452b1d2f08b3778d293aa8bec9d6b
        backend account-totals-1 07f5d46d82e13a1e2b21607944bd729c039db4c8a75f3c920434af3f58d3fd56
        backend received-mail-1 396e7ec9c1fa9a34880bf1913c6b78c47a78542c1a345b80828ae8f09f9dd74f
        backend identities-1 1f8d1bd93be6fa82849d745b778da5b3e157fff2670f6e0f5104bf7a65ee6459
        backend table-rows-1 f9724b04ca2e09c609d7fda57c910046238a917655598c6fd24cf9782df76aab
        backend challenge-times-1 64273fc53259de2583b43df331399695c4fd2af84229b1882476e06853e54bd5
        """

    private static let databases = [
        "devices": Simulator.migrations, "traffic": TrafficSchema.migrations,
        "backend": EmbeddedBackend.migrations,
    ]

    @Test(arguments: databases.keys.sorted())
    func `a released migration does not change and a new one follows it`(database: String)
        throws
    {
        let released = Self.released.split(separator: "\n").filter { $0.hasPrefix(database + " ") }
        let migrations = try #require(Self.databases[database])
        let current = migrations.map { "\(database) \($0.name) \(Digest.sha256($0.sql))" }
        for (expected, line) in zip(released, current) {
            #expect(
                line == expected,
                """
                A released migration was changed, renamed or moved. Files created with it would not \
                have the change: undo it, and add a migration at the end.
                """)
        }
        #expect(current.count >= released.count, "Released migrations are missing: restore them.")
        for line in current.dropFirst(released.count) {
            Issue.record("A new migration: once it is final, add the line '\(line)'.")
        }
    }
}
