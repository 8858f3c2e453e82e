import { Type } from "typebox";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { actorOf } from "../../../events/actor.ts";
import { created, ok } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import { patch, post, type Route, read } from "../../../http/route.ts";
import { cursor, limit, object } from "../../../http/schemas.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { documentJson } from "../../library/documents/represent.ts";
import { Document, DocumentParams, exampleDocument } from "../../library/documents/schema.ts";
import { loadSet, loadSetOf, localesSeen } from "../../library/language-versions/load-set.ts";
import { resolveIn } from "../../library/language-versions/resolve-version.ts";
import { activate, deactivate } from "./activate.ts";
import { addVersion, changeVersion } from "./change-versions.ts";
import { listAudit } from "./queries.ts";
import { auditOf, describeSet, describeVersion, noSet } from "./represent.ts";
import {
  Activation,
  AuditRecord,
  DocumentSet,
  exampleAudit,
  exampleSet,
  exampleVariant,
  Localizations,
  locale,
  NewVersion,
  Variant,
  VersionChange,
  VersionParams,
} from "./schema.ts";

const tag = "Languages";
const creationErrors = ["invalid_locale", "locale_exists", "quota_exceeded", "document_too_large"] as const;

const withoutSet = (document: DocumentRow, requested: string | null) => ({
  ...noSet(document),
  requested_locale: requested,
  resolved_locale: null,
  resolved_document_id: document.id,
  fallback_used: false,
});

export const localizationRoutes: Route[] = [
  read({
    operation: "get_document_set",
    path: "/document-sets/{id}",
    tag,
    summary: "A document set with all its language versions.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document_set" },
    params: DocumentParams,
    success: { status: 200, description: "It.", data: DocumentSet, example: exampleSet },
    handler: async ({ caller, db, params }) =>
      ok(await describeSet(db, await loadSet(db, caller.workspaceId, params.id))),
  }),
  read({
    operation: "list_localizations",
    path: "/documents/{id}/localizations",
    tag,
    summary: "The set that a document is a version of, and which version a language resolves to.",
    description:
      "A language that is not there falls back from `zh-Hant-TW` to `zh-Hant`, `zh`, the set's fallback language, its source. A single-language document has no set: then the set's own members are null, there are no variants, and every language resolves to the document itself.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: object({ locale: Type.Optional(locale("Resolve this language.")) }),
    errors: ["invalid_locale"],
    success: {
      status: 200,
      description: "The set.",
      data: Localizations,
      example: {
        ...exampleSet,
        requested_locale: "es-MX",
        resolved_locale: "es",
        resolved_document_id: exampleVariant.document_id,
        fallback_used: true,
      },
    },
    handler: async ({ caller, db, params, query }) => {
      const requested = query.locale === undefined ? null : parseLocale(query.locale);
      const asked = await getDocument(db, caller.workspaceId, params.id);
      if (asked.document_set_id === null) return ok(withoutSet(asked, requested));
      const loaded = await loadSet(db, caller.workspaceId, asked.document_set_id);
      const { document, ...resolution } = resolveIn(loaded, asked, requested);
      return ok({ ...(await describeSet(db, loaded)), ...resolution, resolved_document_id: document.id });
    },
  }),
  post({
    operation: "activate_localization",
    path: "/documents/{id}/localization/activate",
    tag,
    summary: "Make a single-language document the source of a set, with its first target versions.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document", changesVersions: true },
    params: DocumentParams,
    body: Activation,
    bodyExample: { source_locale: "en", target_locales: ["es"], create_mode: "copy_structure" },
    errors: [...creationErrors, "already_localized"],
    success: { status: 201, description: "The new set.", data: DocumentSet, example: exampleSet },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const loaded = await activate(app, tx, {
        workspaceId: caller.workspaceId,
        id: params.id,
        sourceLocale: parseLocale(body.source_locale),
        fallbackLocale: body.fallback_locale === undefined ? undefined : parseLocale(body.fallback_locale),
        targetLocales: (body.target_locales ?? []).map(parseLocale),
        mode: body.create_mode ?? "copy_structure",
        actor: actorOf(input),
      });
      return created(await describeSet(tx, loaded));
    },
  }),
  post({
    operation: "deactivate_localization",
    path: "/documents/{id}/localization/deactivate",
    tag,
    summary: "Make the source of a set without targets a single-language document again.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document", changesVersions: true },
    params: DocumentParams,
    errors: ["localization_has_targets"],
    success: { status: 200, description: "The document.", data: Document, example: exampleDocument },
    handler: async (input) => {
      const { app, caller, tx, params } = input;
      const loaded = await loadSetOf(tx, caller.workspaceId, params.id);
      const who = { actor: actorOf(input), rights: caller.rights };
      return { dataJson: documentJson(await deactivate(app, tx, loaded, who)) };
    },
  }),
  post({
    operation: "add_localization",
    path: "/documents/{id}/localizations",
    tag,
    summary: "Add a target language version.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document", changesVersions: true },
    params: DocumentParams,
    body: NewVersion,
    bodyExample: { locale: "fr", title: "Premiers pas", create_mode: "copy_structure" },
    etag: true,
    errors: [...creationErrors],
    success: { status: 201, description: "The new version.", data: Variant, example: exampleVariant },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const loaded = await loadSetOf(tx, caller.workspaceId, params.id);
      const version = await addVersion(app, tx, {
        loaded,
        locale: parseLocale(body.locale),
        title: body.title,
        mode: body.create_mode ?? "copy_structure",
        actor: actorOf(input),
      });
      const now = await loadSet(tx, caller.workspaceId, loaded.set.id);
      return created(await describeVersion(tx, now, version), { etag: version.version });
    },
  }),
  patch({
    operation: "change_localization",
    path: "/documents/{id}/localizations/{locale}",
    tag,
    summary: "Change the title or workflow status of a language version.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document", changesVersions: true },
    params: VersionParams,
    body: VersionChange,
    bodyExample: { workflow_status: "in_review" },
    errors: ["invalid_locale"],
    success: { status: 200, description: "It, changed.", data: Variant, example: exampleVariant },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const loaded = await loadSetOf(tx, caller.workspaceId, params.id);
      const version = await changeVersion(app, tx, {
        loaded,
        locale: parseLocale(params.locale),
        actor: actorOf(input),
        ...body,
      });
      return ok(await describeVersion(tx, loaded, version));
    },
  }),
  read({
    operation: "list_localization_audit",
    path: "/documents/{id}/localization-audit",
    tag,
    summary: "The audit log of the translations, newest first.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: object({ limit: limit(), cursor: cursor() }),
    success: { status: 200, description: "A page of records.", data: AuditRecord, list: true, example: exampleAudit },
    handler: async ({ app, caller, db, params, query }) => {
      const document = await getDocument(db, caller.workspaceId, params.id);
      const sourceId = document.translated_from_document_id ?? document.id;
      const locales = await localesSeen(db, document);
      return pageOf(app.secret, ["localization-audit", sourceId], query, {
        fetch: ([before = ""], size) => listAudit(db, caller.workspaceId, sourceId, locales, String(before), size),
        keyOf: (row) => [row.id],
        represent: auditOf,
      });
    },
  }),
];
