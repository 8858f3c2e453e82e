import type { Command } from "commander";

/** A command of svc. Its module is read when it is asked for, so that no command waits for the others. */
interface Entry {
  readonly name: string;
  readonly group: Group;
  readonly summary: string;
  readonly load: () => Promise<(command: Command) => void>;
}

type Group = "Sign in" | "Knowledge bases" | "Documents" | "Files" | "Knowledge" | "Programs" | "Administration";

const entry = (
  group: Group,
  name: string,
  summary: string,
  load: () => Promise<{ define(command: Command): void }>,
): Entry => ({ group, name, summary, load: async () => (await load()).define });

const backup = () => import("./administration/backup.ts");

/** Every command, in the order in which the help lists them. */
export const commands: readonly Entry[] = [
  entry("Sign in", "login", "sign in to a server, in the browser", () => import("./commands/login.ts")),
  entry("Sign in", "logout", "forget the token of a server", () => import("./commands/logout.ts")),
  entry("Sign in", "whoami", "who you are, and what you may do", () => import("./commands/whoami.ts")),
  entry("Sign in", "picture", "the picture that you are shown with", () => import("./commands/picture.ts")),
  entry("Sign in", "profiles", "the servers you are signed in to", () => import("./commands/profiles.ts")),

  entry(
    "Knowledge bases",
    "kb",
    "knowledge bases: list, create, rename, delete, and who may do what",
    () => import("./commands/kb.ts"),
  ),
  entry(
    "Knowledge bases",
    "groups",
    "groups of members, for roles in knowledge bases",
    () => import("./commands/groups.ts"),
  ),
  entry("Knowledge bases", "ls", "what is in a knowledge base or a folder", () => import("./commands/ls.ts")),
  entry("Knowledge bases", "tree", "everything in a knowledge base or a folder", () => import("./commands/tree.ts")),
  entry("Knowledge bases", "mkdir", "make a folder", () => import("./commands/mkdir.ts")),
  entry("Knowledge bases", "mv", "move, rename or reorder a document or a folder", () => import("./commands/mv.ts")),
  entry("Knowledge bases", "rm", "put a document or a folder into the trash", () => import("./commands/rm.ts")),
  entry("Knowledge bases", "trash", "what was deleted, and how to get it back", () => import("./commands/trash.ts")),
  entry("Knowledge bases", "export", "a knowledge base as a ZIP archive", () => import("./commands/export.ts")),
  entry("Knowledge bases", "import", "a knowledge base from a ZIP archive", () => import("./commands/import.ts")),
  entry(
    "Knowledge bases",
    "sync",
    "keep a folder of Markdown files and a knowledge base equal",
    () => import("./commands/sync.ts"),
  ),

  entry("Documents", "cat", "a document as Markdown, whole or in part", () => import("./commands/cat.ts")),
  entry("Documents", "new", "create a document", () => import("./commands/new.ts")),
  entry("Documents", "edit", "edit a document in $EDITOR", () => import("./commands/edit.ts")),
  entry("Documents", "write", "replace a document's body", () => import("./commands/write.ts")),
  entry("Documents", "replace", "replace text in a document", () => import("./commands/replace.ts")),
  entry("Documents", "append", "add to a document", () => import("./commands/append.ts")),
  entry(
    "Documents",
    "sheet",
    "a spreadsheet: its results, and CSV and XLSX in and out",
    () => import("./commands/sheet.ts"),
  ),
  entry("Documents", "properties", "a document's properties (front matter)", () => import("./commands/properties.ts")),
  entry("Documents", "move-section", "move a section to another document", () => import("./commands/move-section.ts")),
  entry("Documents", "changes", "what changed since a time", () => import("./commands/changes.ts")),
  entry("Documents", "history", "a document's earlier versions", () => import("./commands/history.ts")),
  entry("Documents", "blame", "who last changed each block of a document", () => import("./commands/blame.ts")),
  entry("Documents", "diff", "what changed between two versions", () => import("./commands/diff.ts")),
  entry("Documents", "rollback", "put an earlier version back", () => import("./commands/rollback.ts")),
  entry("Documents", "comments", "what people say about a document", () => import("./commands/comments.ts")),
  entry("Documents", "suggestions", "changes that wait for a decision", () => import("./commands/suggestions.ts")),
  entry(
    "Documents",
    "notifications",
    "your notifications, watching, and how you are notified",
    () => import("./commands/notifications.ts"),
  ),
  entry("Documents", "people", "who is here, to mention them", () => import("./commands/people.ts")),
  entry("Documents", "share", "public links of documents and folders", () => import("./commands/share.ts")),
  entry("Documents", "watch", "changes as they happen", () => import("./commands/watch.ts")),

  entry("Files", "upload", "attach files to a document", () => import("./commands/upload.ts")),
  entry("Files", "download", "get an attached file", () => import("./commands/download.ts")),
  entry("Files", "attachments", "the files of a document", () => import("./commands/attachments.ts")),

  entry("Knowledge", "ask", "answer a question with passages of the pages", () => import("./commands/ask.ts")),
  entry("Knowledge", "search", "find documents by their text", () => import("./commands/search.ts")),
  entry("Knowledge", "concepts", "what a knowledge base is about", () => import("./commands/concepts.ts")),
  entry("Knowledge", "translate", "language versions of a document", () => import("./commands/translate.ts")),

  entry("Programs", "mcp", "the tools for agents, over standard input and output", () => import("./commands/mcp.ts")),
  entry("Programs", "completion", "completion for your shell", () => import("./commands/completion.ts")),

  entry("Administration", "serve", "the server itself", () => import("./administration/serve.ts")),
  entry(
    "Administration",
    "demo",
    "a server with an example workspace, gone when it ends",
    () => import("./administration/demo/demo.ts"),
  ),
  entry(
    "Administration",
    "doctor",
    "check the installation, and what to do about each problem",
    () => import("./administration/doctor/doctor.ts"),
  ),
  entry("Administration", "users", "people with an account", () => import("./administration/users.ts")),
  entry("Administration", "members", "who belongs to a workspace", () => import("./administration/members.ts")),
  entry("Administration", "tokens", "keys to the API", () => import("./administration/tokens.ts")),
  entry("Administration", "audit", "who changed what, the newest first", () => import("./administration/audit.ts")),
  {
    group: "Administration",
    name: "backup",
    summary: "copy the whole store into one file, also while the server runs",
    load: async () => (await backup()).defineBackup,
  },
  {
    group: "Administration",
    name: "restore",
    summary: "put a backup back in place of the store, also while the server runs",
    load: async () => (await backup()).defineRestore,
  },
  entry(
    "Administration",
    "reindex",
    "build the search index and the relations of links anew; the server does it in the background, and says so in its answers",
    () => import("./administration/reindex.ts"),
  ),
];

export const findEntry = (name: string | undefined): Entry | undefined => commands.find((one) => one.name === name);

/** The store's own commands: they read the SVC_ settings of the server instead of calling it. */
export const isAdministration = (name: string | undefined): boolean => findEntry(name)?.group === "Administration";
