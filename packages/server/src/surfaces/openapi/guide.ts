/**
 * How an agent works with the service: the first page of the Markdown reference. A test checks its calls against the
 * routes.
 */
export const AGENT_GUIDE = `## Guide for agents

**Sign in.** \`POST /auth/device/code\` with your name as \`client_name\`, show the person \`verification_uri_complete\`, poll \`POST /auth/device/token\` every \`interval\` seconds. \`GET /me\` shows what the token may do. Send \`User-Agent: <client>/<version> (<client name>)\`. The same token works for tools over MCP at \`/mcp\`.

**Find.** \`GET /search/v2?q=…\` gives blocks with their \`document_id\`, \`block_id\` and \`heading_path\`. \`projection.complete\` says whether every document was searched in its current version. \`GET /knowledge-bases/{id}/tree\` lists all pages.

**Read within a budget.**

1. \`GET /documents/{id}/outline\` for the headings and their block ids.
2. \`GET /documents/{id}/read?section=<heading block id>&max_tokens=2000\`, or \`around=<block id>\` for the surroundings of a search hit.
3. While \`next_cursor\` is set, call again with \`cursor\`. A cursor holds for one version: on 409 \`read_cursor_stale\` begin again.

Keep \`version\`: it is what an edit is based on.

**Edit by text.** \`POST /documents/{id}/batch\` with \`base_version\` and up to 100 operations, all or none. \`edit_markdown\` replaces a stretch of the Markdown; without \`occurrence\` it must occur once. \`append_markdown\` adds at the end of a section; a bullet joins the list there, a row (\`| a | b |\`) the table. By block ids there are \`insert\`, \`replace\`, \`delete\`, \`move\`, \`set_attrs\`, \`replace_text\` (\`/api-docs/shapes.md\`).

\`\`\`json
{"base_version": "sha256:…", "operations": [
  {"op": "edit_markdown", "old": "40 MB", "new": "**50** MB", "section": "Limits"},
  {"op": "append_markdown", "section": "Open questions", "markdown": "- Who decides?"}
]}
\`\`\`

With \`on_conflict=merge\` an older \`base_version\` is merged where nobody else touched the same blocks. \`POST /documents/{id}/sections/{blockId}/move\` moves a section with its ids and links.

To rewrite more, read \`GET /documents/{id}/content?format=markdown&annotate=anchors\`, keep the anchor comments of the blocks that stay, and \`PUT /documents/{id}/content\` with the version in \`If-Match\`. Blocks under a kept anchor keep their ids, and with them relations, evidence and translations. \`dry_run=true\` answers what would happen.

**When it was changed meanwhile** the answer is 409 \`version_conflict\` with \`details.current_version\`: read again, merge, send again. Never send \`If-Match: *\` to get past it. \`GET /documents/{id}/versions\` and \`POST /documents/{id}/versions/{seq}/rollback\` undo.

**Retry.** Give every POST an \`Idempotency-Key\`. After a timeout, 429 or 503 send the same request with the same key: it takes effect once. Wait for \`Retry-After\`.

**Follow changes.** \`GET /changes/diff?since=<time>\` gives old and new text of every block that changed since. For events keep \`resume_from\` and \`history\` of \`GET /changes\` and send them as \`after\` and \`history\` next time; \`GET /events\` is the same as a stream. \`GET /documents/{id}/changes\` tells which blocks changed. \`sync_required\` means that your position is too old: list the documents, then go on.

**Trust what is fresh.** Summaries, relations, evidence and translations carry the version they were made from and a \`freshness\`; what is \`stale\` does not describe the document as it is now.

**When it fails,** read \`error.code\` and \`error.details.hint\`: the hint is the next call to make.
`;
