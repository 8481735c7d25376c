import type { Kysely } from 'kysely';
import type { SessionEndReason } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { TitleOrigin } from './sessions/runtime-session.ts';
import type { SessionContentKind } from '@steward/contracts';

/**
 * Row types of the session tables. Times have millisecond precision (`timestamptz(3)`), so that a JavaScript date is an
 * exact keyset cursor.
 */
export interface SessionsDatabase {
  'gateway.runtime_session': RuntimeSessionRow;
  'gateway.session_content': SessionContentRow;
  'gateway.operator_note': OperatorNoteRow;
}

export interface RuntimeSessionRow {
  account_id: string;
  id: string;
  session_source_type: string;
  session_source_id: string;
  session_reference: string | null;
  runtime_principal_type: string | null;
  runtime_principal_id: string | null;
  runtime_principal_name: string | null;
  /** True if a key bound to this agent opened the session; otherwise the caller named the agent. */
  principal_verified: boolean;
  flow_id: string | null;
  execution_id: string | null;
  api_key_id: string | null;
  title: string | null;
  title_origin: TitleOrigin | null;
  /** First words of a user in this session: the source of a title if the client gave none. */
  title_hint: string | null;
  /** True if the words of `title_hint` also occur in the session from which this one was forked. */
  title_hint_copied: boolean;
  /**
   * Value of `title_hint` for which a model last responded to the request for a title; no further title is requested
   * until `title_hint` changes.
   */
  title_asked_of: string | null;
  summary: string | null;
  /** Labels of the session, each as `key:value`. */
  labels: string[];
  started_at: Date;
  /**
   * Time of the newest content, or the initial start of the session if no content is newer; never in the future. Late
   * telemetry does not set this time back.
   */
  last_activity_at: Date;
  /**
   * Time at which the session was last opened or content was last stored in it, accurate to about half a minute; used
   * to detect idle sessions.
   */
  last_seen_at: Date;
  ended_at: Date | null;
  end_reason: SessionEndReason | null;
  /** Whether the session is protected from deletion. */
  legal_hold: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface SessionContentRow {
  account_id: string;
  id: string;
  runtime_session_id: string;
  kind: SessionContentKind;
  occurred_at: Date;
  role: string | null;
  external_id: string | null;
  api_key_id: string | null;
  model_alias: string | null;
  provider_name: string | null;
  tool_name: string | null;
  status: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  cost_usd: number | null;
  /** Number of earlier versions of the entry at its source; an entry with a higher number replaces this one. */
  revision: number;
  /** The common id of an entry and its copies in other sessions; null if its source provides none. */
  origin: string | null;
  /** Ids of the original entry and its session; null if this entry is not a copy. */
  copy_of: string | null;
  copy_of_session_id: string | null;
  /** The body; null if it was not captured, or is in the object store. */
  content: unknown;
  /**
   * Key and size of the object that contains the body (ADR 0080), and the SHA-256 digest of the body itself; null
   * without an object.
   */
  content_object: string | null;
  content_object_bytes: number | null;
  content_sha256: Buffer | null;
  content_captured: boolean;
  content_size_bytes: number;
  created_at: Date;
}

/** A row before it is stored: the body is a JSON string, so that it is serialized only once. */
export type NewSessionContent = Omit<
  SessionContentRow,
  'content' | 'content_object' | 'content_object_bytes' | 'content_sha256' | 'content_captured' | 'content_size_bytes'
> & {
  readonly contentJson: string | null;
};

export interface OperatorNoteRow {
  account_id: string;
  id: string;
  /** Session of the note; null until the note is assigned to a session of its agent or execution. */
  runtime_session_id: string | null;
  managed_agent_id: string | null;
  execution_id: string | null;
  /** Text of a note that was sent before there was a session; null as soon as the note is content of a session. */
  text: string | null;
  author_user_id: string;
  author_display: string;
  author_auth_method: string;
  created_at: Date;
  expires_at: Date | null;
  delivered_at: Date | null;
  delivery_channel: string | null;
  turn_index: number | null;
  cancelled_at: Date | null;
  /** Token of the claim under which a process delivers the note. */
  claim_token: string | null;
  claimed_until: Date | null;
}

/** Returns the caller's transaction (or database), typed with this context's tables. */
export const tables = (db: AnyDatabase): Kysely<SessionsDatabase> => db;
