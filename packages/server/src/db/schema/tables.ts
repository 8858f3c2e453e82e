import type { Generated } from "kysely";
import type {
  AuditRow,
  DeviceCodeRow,
  EmailProofRow,
  InvitationRow,
  PasswordResetRow,
  PictureRow,
  Role,
  SessionRow,
  SignInAddressRow,
  TokenRow,
  UserRow,
} from "./tables/accounts.ts";
import type { BodyHtmlRow, BodyRow, BodySourceRow, SegmentRow, SnapshotRow } from "./tables/bodies.ts";
import type {
  ConceptCandidateRow,
  ConceptHistoryRow,
  ConceptRelationRow,
  ConceptRow,
  ConceptSourceRow,
} from "./tables/concepts.ts";
import type {
  CommentReactionRow,
  CommentRow,
  DeletedCommentRow,
  NotificationRow,
  NotificationSettingsRow,
  SuggestionRow,
  WatchPositionRow,
  WatchRow,
} from "./tables/discussion.ts";
import type {
  AttachmentRow,
  DocumentPropertyRow,
  DocumentRow,
  FolderRow,
  KnowledgeBaseRow,
  ShareRow,
  SiblingPlaceRow,
  TrashRow,
} from "./tables/documents.ts";
import type { ChangeRow, EventRow, WebhookDeliveryRow, WebhookRow } from "./tables/events.ts";
import type { FileTextPageRow, FileTextRow } from "./tables/file-texts.ts";
import type { HistorySegmentRow, HistoryStateRow } from "./tables/history.ts";
import type { JobRow } from "./tables/jobs.ts";
import type {
  LiveDocumentRow,
  LiveEpochRow,
  LivePersonRow,
  LiveUpdateRow,
  RecentStateRow,
  RestorePointRow,
} from "./tables/live.ts";
import type {
  DocumentSetRow,
  LocalizationAuditRow,
  TranslationStateRow,
  TranslationUnitRow,
} from "./tables/localization.ts";
import type { OAuthClientRow, OAuthCodeRow, OAuthGrantRow, OAuthRefreshTokenRow } from "./tables/oauth.ts";
import type { PersonalDocumentRow, VisitRow } from "./tables/personal.ts";
import type { InlineRelationRow, ManualRelationRow } from "./tables/relations.ts";
import type { RemotePictureRow } from "./tables/remote-pictures.ts";
import type { BaseRoleRow, FormerRoleRow, GroupMemberRow, MemberGroupRow } from "./tables/rights.ts";
import type { SearchBlockTable, SearchCountersRow, SearchDocumentTable, SearchSegmentRow } from "./tables/search.ts";
import type {
  ClaimedGroupRow,
  IdentityRow,
  PasskeyRow,
  RecoveryCodeRow,
  SpentTicketRow,
  TotpFactorRow,
} from "./tables/sign-in.ts";
import type { SummaryRow } from "./tables/summaries.ts";

/**
 * Times are milliseconds, booleans are 0 or 1, and JSON is text that SQL never looks into. The key of every tenant
 * table begins with the workspace.
 */
export interface Tables {
  server_state: { key: string; value: string };

  users: UserRow;
  /** `rights_version` changes whenever groups or roles in knowledge bases do; 0 while there were none. */
  workspaces: { id: string; name: string; created_at: number; rights_version: Generated<number> };
  member_groups: MemberGroupRow;
  group_members: GroupMemberRow;
  base_roles: BaseRoleRow;
  former_roles: FormerRoleRow;
  memberships: { workspace_id: string; user_id: string; role: Role; created_at: number };
  tokens: TokenRow;
  sessions: SessionRow;
  sign_in_addresses: SignInAddressRow;
  password_resets: PasswordResetRow;
  email_proofs: EmailProofRow;
  identities: IdentityRow;
  claimed_groups: ClaimedGroupRow;
  totp_factors: TotpFactorRow;
  recovery_codes: RecoveryCodeRow;
  passkeys: PasskeyRow;
  spent_tickets: SpentTicketRow;
  device_codes: DeviceCodeRow;
  oauth_clients: OAuthClientRow;
  oauth_grants: OAuthGrantRow;
  oauth_codes: OAuthCodeRow;
  oauth_refresh_tokens: OAuthRefreshTokenRow;
  /** Open invitations to a workspace; a used or withdrawn one is deleted. */
  invitations: InvitationRow;
  /** Wrong passwords and codes, counted per subject: no further attempt is accepted before `free_at`. */
  attempts: { subject: string; failures: number; free_at: number; forgotten_at: number };

  /**
   * Totals of a workspace. Locked last in a transaction (see db/transaction/last-steps.ts), so that number order is
   * commit order.
   */
  workspace_counters: {
    workspace_id: string;
    knowledge_bases: number;
    folders: number;
    documents: number;
    attachment_bytes: number;
    last_event_id: number;
  };

  knowledge_bases: KnowledgeBaseRow;
  folders: FolderRow;
  sibling_places: SiblingPlaceRow;
  documents: DocumentRow;
  document_properties: DocumentPropertyRow;
  personal_documents: PersonalDocumentRow;
  pictures: PictureRow;
  visits: VisitRow;
  bodies: BodyRow;
  body_sources: BodySourceRow;
  /** JSON: the style in which the document's source file writes addresses. */
  file_addresses: { workspace_id: string; document_id: string; addresses: string };
  body_html: BodyHtmlRow;
  segments: SegmentRow;
  history_states: HistoryStateRow;
  history_segments: HistorySegmentRow;
  snapshots: SnapshotRow;
  events: EventRow;
  /** Server processes that hold leases or streams. Each raises its counter while it lives. */
  processes: { id: string; beat: number };
  /** Work that only one process may do at a time. Deleted with its process. */
  leases: { name: string; holder: string; process_id: string };
  event_streams: { token_id: string; id: string; process_id: string };
  changes: ChangeRow;
  inline_relations: InlineRelationRow;
  /** The version of the body that a document's inline relations were computed from. */
  relation_views: { workspace_id: string; document_id: string; version: string };
  manual_relations: ManualRelationRow;
  attachments: AttachmentRow;
  public_shares: ShareRow;
  trash: TrashRow;
  trash_items: { workspace_id: string; trash_id: string; position: number; packed: Uint8Array };
  live_documents: LiveDocumentRow;
  live_updates: LiveUpdateRow;
  live_people: LivePersonRow;
  live_epochs: LiveEpochRow;
  restore_points: RestorePointRow;
  recent_states: RecentStateRow;
  /** Deleted documents whose stored parts are still to be removed in the background. */
  purges: { workspace_id: string; document_id: string };

  comments: CommentRow;
  comment_reactions: CommentReactionRow;
  deleted_comments: DeletedCommentRow;
  suggestions: SuggestionRow;
  notifications: NotificationRow;
  watches: WatchRow;
  notification_settings: NotificationSettingsRow;
  watch_positions: WatchPositionRow;

  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;

  concepts: ConceptRow;
  concept_sources: ConceptSourceRow;
  concept_relations: ConceptRelationRow;
  concept_history: ConceptHistoryRow;
  concept_candidates: ConceptCandidateRow;
  jobs: JobRow;
  summaries: SummaryRow;
  document_sets: DocumentSetRow;
  translation_states: TranslationStateRow;
  translation_units: TranslationUnitRow;
  localization_audit: LocalizationAuditRow;

  search_counters: SearchCountersRow;
  search_documents: SearchDocumentTable;
  /**
   * Numbers of documents whose blocks searches must not find: deleted and not yet removed, or not yet complete
   * (`building`).
   */
  search_hidden: { workspace_id: string; number: number; building: number };
  search_blocks: SearchBlockTable;
  search_segments: SearchSegmentRow;
  /** `page_key` combines the segment's id with the page's number and kind (packages/search, segment/page-key.ts). */
  search_pages: { workspace_id: string; page_key: number; first_term: string; content: Uint8Array };

  idempotency_keys: {
    workspace_id: string;
    token_id: string;
    key: string;
    fingerprint: string;
    status: number;
    headers: string;
    body: string;
    created_at: number;
  };
  /** Characters sent to the translation provider, per UTC day (`2026-01-31`). */
  translation_usage: { workspace_id: string; day: string; characters: number };
  /** Tokens that questions to the model used, per UTC day. */
  ask_usage: { workspace_id: string; day: string; tokens: number };
  rate_windows: { subject: string; window_start: number; used: number };
  audit_log: AuditRow;
  remote_pictures: RemotePictureRow;
  file_texts: FileTextRow;
  file_text_pages: FileTextPageRow;
}
