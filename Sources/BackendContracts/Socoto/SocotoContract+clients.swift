import Backend

/// How Supabase's clients are pointed at the contract, with the values of its workspace.
extension SocotoContract {
    var clientSnippets: [ClientSnippet] {
        let values = Dictionary(clientSettings.map { ($0.name, $0.value) }) { first, _ in first }
        let url = values["url"] ?? rootURL
        let key = values["anonKey"] ?? ""
        let service = values["serviceKey"] ?? ""
        return [
            ClientSnippet(
                "@supabase/supabase-js",
                """
                import { createClient } from "@supabase/supabase-js";
                const supabase = createClient("\(url)", "\(key)");
                """),
            ClientSnippet(
                "supabase-swift",
                """
                let supabase = SupabaseClient(
                    supabaseURL: URL(string: "\(url)")!, supabaseKey: "\(key)")
                """),
            ClientSnippet(
                "supabase (Python)",
                """
                from supabase import create_client
                supabase = create_client("\(url)", "\(key)")
                """),
            ClientSnippet(
                "supabase-auth, gotrue (Python)",
                """
                from supabase_auth import SyncGoTrueClient  # or: from gotrue
                key = "\(key)"
                auth = SyncGoTrueClient(
                    url="\(url)/auth/v1",
                    headers={"apikey": key, "Authorization": f"Bearer {key}"})
                """),
            ClientSnippet(
                "postgrest (Python)",
                """
                from postgrest import SyncPostgrestClient
                rest = SyncPostgrestClient(
                    "\(url)/rest/v1", headers={"apikey": "\(key)"}).auth(access_token)
                """),
            ClientSnippet(
                "Administrator",
                """
                # Only on a server: this key passes every row rule.
                supabase = create_client("\(url)", "\(service)")
                supabase.auth.admin.list_users()
                """),
        ]
    }
}
