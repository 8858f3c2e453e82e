#!/usr/bin/env node
import { Command } from "commander";
import { addAudit } from "./audit.ts";
import { addBackup } from "./backup.ts";
import { addMembers } from "./members.ts";
import { addReindex } from "./reindex.ts";
import { addTokens } from "./tokens.ts";
import { addUsers } from "./users.ts";

const program = new Command("svc")
  .description("Accounts, tokens, audit log and backups of a svc store. Reads the same SVC_ settings as the server.")
  .showHelpAfterError("(svc --help lists the commands)");
for (const add of [addUsers, addMembers, addTokens, addAudit, addBackup, addReindex]) add(program);

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`svc: ${error.message}\n`);
  process.exitCode = 1;
});
