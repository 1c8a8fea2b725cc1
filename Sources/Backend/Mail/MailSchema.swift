import SQLite

extension Migration {
    /// Senders, read mails, the sources of mails received by SMTP, and a full-text index.
    ///
    /// `mail_unworded` are the mails to be indexed before the next search, because their content
    /// is sealed.
    static let receivedMail = Migration(
        "received-mail-1",
        sql: """
            ALTER TABLE mails ADD COLUMN sender TEXT NOT NULL DEFAULT '';
            ALTER TABLE mails ADD COLUMN read_at INTEGER;
            ALTER TABLE kept_mails ADD COLUMN sender TEXT NOT NULL DEFAULT '';
            ALTER TABLE kept_mails ADD COLUMN read_at INTEGER;
            UPDATE mails SET read_at = used_at;
            UPDATE kept_mails SET read_at = used_at;
            CREATE INDEX mails_unread ON mails (workspace) WHERE read_at IS NULL;

            CREATE TABLE mail_sources (
                mail TEXT PRIMARY KEY
                    REFERENCES mails (id) ON DELETE CASCADE,
                bytes INTEGER NOT NULL,
                sealed TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE kept_mail_sources (
                snapshot TEXT NOT NULL
                    REFERENCES snapshots ON DELETE CASCADE,
                mail TEXT NOT NULL, bytes INTEGER NOT NULL,
                sealed TEXT NOT NULL
            ) STRICT;
            CREATE INDEX kept_mail_sources_of ON kept_mail_sources (snapshot);

            CREATE VIRTUAL TABLE mail_words USING fts5 (
                recipient, sender, subject, text,
                columnsize = 0, prefix = '1 2 3 4 5 6'
            );
            CREATE VIRTUAL TABLE mail_terms USING fts5vocab (mail_words, instance);
            CREATE TABLE mail_unworded (
                sequence INTEGER PRIMARY KEY
            ) STRICT;
            INSERT INTO mail_unworded SELECT sequence FROM mails;
            CREATE TRIGGER mails_unworded AFTER INSERT ON mails BEGIN
                INSERT OR IGNORE INTO mail_unworded VALUES (new.sequence);
            END;
            CREATE TRIGGER mails_forgotten AFTER DELETE ON mails BEGIN
                DELETE FROM mail_words WHERE rowid = old.sequence;
                DELETE FROM mail_unworded WHERE sequence = old.sequence;
            END;
            """)
}
