import { Type } from "typebox";
import { cursor, flag, limit, named, nullable, object, oneOf, plainText, time } from "../../../http/schemas.ts";

/** The same fields as the lines of `svc audit --json`. */
export const AuditEntry = named(
  "AuditEntry",
  object({
    id: Type.Integer({ description: "Rises with every entry." }),
    workspace_id: Type.String(),
    created_at: time(),
    user_id: nullable(Type.String()),
    email: nullable(Type.String({ description: "Null when the account is gone." })),
    token_id: nullable(Type.String({ description: "Null for what was done in the browser or on the command line." })),
    client_name: nullable(Type.String()),
    client_version: nullable(Type.String()),
    agent: Type.Boolean({ description: "The program said that it acts for a language model." }),
    action: Type.String({ description: "The operation, such as `create_document`." }),
    path: Type.String(),
    status: Type.Integer(),
    request_id: Type.String(),
    summary: nullable(
      Type.String({ description: "A sentence with the names of that time, where path and action say too little." }),
    ),
    created_id: nullable(Type.String({ description: "The id of what the request created, for example a document." })),
  }),
);

export const exampleEntry = {
  id: 4711,
  workspace_id: "ws_01K9ZQ4T6N4Y3V7J8W2M5R1XCB",
  created_at: 1794700000000,
  user_id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
  email: "ada@example.com",
  token_id: "tok_01K9ZQ4T6N4Y3V7J8W2M5R1XCF",
  client_name: "svc",
  client_version: "1.0.0",
  agent: false,
  action: "create_document",
  path: "/api/v1/documents",
  status: 201,
  request_id: "req_01K9ZQ4T6N4Y3V7J8W2M5R1XCG",
  summary: null,
  created_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCH",
};

const instant = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description: `${description} ISO 8601 or milliseconds.` }));

export const AuditQuery = object({
  limit: limit(),
  cursor: cursor(),
  user_id: Type.Optional(plainText(64, "Only what this person did.", 1)),
  token_id: Type.Optional(plainText(64, "Only what was done with this token.", 1)),
  action: Type.Optional(plainText(100, "Only this operation.", 1)),
  since: instant("Not earlier than this."),
  until: instant("Earlier than this."),
  agent: flag("Only what programs did that act for a language model."),
  format: Type.Optional(
    oneOf(
      ["json", "jsonl"],
      "`jsonl`: all of them, the oldest first, one JSON object a line. So does `Accept: application/x-ndjson`.",
    ),
  ),
});
