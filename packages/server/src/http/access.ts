/** The resources that belong to a knowledge base, by the names that refusals give them. */
export type Subject =
  | "knowledge_base"
  | "folder"
  | "document"
  | "comment"
  | "suggestion"
  | "relation"
  | "concept"
  | "concept_candidate"
  | "attachment"
  | "trash"
  | "document_set"
  | "summary_job"
  | "translation_job"
  | "import_job"
  | "webhook";

/** An action of a route. The policy (domain/access/policy) has the least role that each one needs. */
export type Action = ReadAction | WriteAction;
export type ReadAction = "read";
export type WriteAction =
  /** Signs in a caller who has no token yet. */
  | "sign_in"
  /** Changes only what people keep for themselves: viewers may, and the audit log has no entry of it. */
  | "personal"
  /**
   * Comments and suggests: `documents:suggest` does for `documents:write`, and a viewer's token is accepted. The handler
   * checks whether the knowledge base lets its viewers comment (domain/library/knowledge-bases/may-discuss.ts).
   */
  | "discuss"
  /** A `discuss` with `mode=suggest` or with a token that may only suggest, otherwise a `write`. */
  | "write_or_suggest"
  | "write"
  | "create"
  | "administer";

/** A field holds the id of a resource, or the URI of a document. */
export type Named = Subject | "document_uri";

type Fields<Field extends string> = Readonly<Partial<Record<Field, Named>>>;

/** Says what a route does to which resources, so that the policy can check it before the handler runs. */
export interface Access<A extends Action = Action, Field extends string = string> {
  readonly action: A;
  /** The resource that `{id}` in the path names, or that the route lists or creates; `workspace` for none of these. */
  readonly subject: Subject | "workspace";
  /** Fields of the query and the body that name further resources which the route changes. They need the same role. */
  readonly writes?: Fields<Field>;
  /** Fields that name resources which the route only refers to. The caller has to see them. */
  readonly reads?: Fields<Field>;
  /** Fields that name the place of the result. A request that names one only reads the subject. */
  readonly copiesTo?: Fields<Field>;
  /** A request without this field covers every knowledge base; on a subject that exists, only null does. */
  readonly coversAllWithout?: Field;
  /** The route also changes the language versions that the request names: the source, and one by locale or unit. */
  readonly changesVersions?: true;
  /** The subject is in a part of a multipart body that has not arrived yet: the handler checks the role. */
  readonly checkedByHandler?: true;
}
