import { sql, type Selectable } from 'kysely';
import type { StoredAddress } from '@steward/crypto';
import type { NoticeKind } from '../../channels/channel.ts';
import type { WebhooksDatabase } from '../../schema.ts';

/** A delivery that this worker may attempt until its lease ends, with all data that the attempt needs. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly generation: number;
  /** Number of attempts made before this one. */
  readonly attemptCount: number;
  readonly createdAt: Date;
  readonly claimToken: string;
  /**
   * Address of the endpoint, encrypted with the context `describeUrlContext`; the fixed URL of emails is not encrypted.
   */
  readonly address: StoredAddress;
  readonly urlVersion: number;
  /** Kind of a notice channel or push subscription; null for any other endpoint. */
  readonly channelKind: NoticeKind | null;
  /** Whether the beginning of the response body has to be stored. */
  readonly keepsAnswers: boolean;
  /**
   * Stored body of the event; null if the event is missing, which is an internal error and is not counted as an
   * attempt.
   */
  readonly body: Buffer | null;
  /** Encrypted secrets, newest first. */
  readonly sealedSecrets: readonly Buffer[];
  readonly isProbe: boolean;
  /** The delivery's own span; null for a delivery that was queued before traces were introduced. */
  readonly traceparent: string | null;
  /**
   * Maximum number of the endpoint's rows in the claim; if the claim contains this many, the endpoint may have more.
   */
  readonly endpointAllowance: number;
}

type Kept = 'account_id' | 'endpoint_id' | 'event_id' | 'event_type' | 'generation' | 'attempt_count' | 'traceparent';

export interface ClaimedRow extends Pick<Selectable<WebhooksDatabase['webhooks.delivery']>, 'id' | Kept> {
  created_ms: number;
  allowance: number;
  url: string | null;
  /** Encrypted address, if the endpoint has one; set in only one of the rows of an endpoint. */
  url_sealed: Buffer | null;
  url_version: number;
  keeps_answers: boolean;
  channel_kind: NoticeKind | null;
  /** Body of the event, if it is stored; set in only one of the rows of an event. */
  body: Buffer | null;
  /** Encrypted secrets, if the endpoint has any; set in only one of the rows of an endpoint. */
  secrets: Buffer[] | null;
}

/**
 * Condition: the row is due and not leased. A row whose lease has expired is due again and can be claimed by any
 * dispatcher.
 */
export const isClaimable = sql`
  d.next_attempt_at <= clock_timestamp() and (d.claim_until is null or d.claim_until <= clock_timestamp())`;

/**
 * Columns of a claim; `claimed` contains the updated delivery rows. The encrypted data of an endpoint and the body of
 * an event are returned only once, even if several rows share them: reading a list of secrets took 8 us of the 120 us
 * that a delivery costs.
 */
export const claimedColumns = sql`
  select c.id, c.account_id, c.endpoint_id, c.event_id, c.event_type, c.generation, c.attempt_count, c.allowance, c.traceparent,
    extract(epoch from c.created_at)::float8 * 1000 as created_ms, e.url, e.url_version, e.keeps_answers, e.channel_kind,
    case when c.nth_of_event = 1 then
      (select v.body from webhooks.event v where v.account_id = c.account_id and v.id = c.event_id)
    end as body,
    case when c.nth_of_endpoint = 1 then e.url_sealed end as url_sealed,
    case when c.nth_of_endpoint = 1 then
      (select array_agg(s.ciphertext order by s.active_from desc, s.id desc) from webhooks.endpoint_secret s
        where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > clock_timestamp()))
    end as secrets
  from (
    select *, row_number() over (partition by endpoint_id) as nth_of_endpoint,
      row_number() over (partition by account_id, event_id) as nth_of_event
    from claimed
  ) c
  join webhooks.endpoint e on e.id = c.endpoint_id`;

export function toClaimed(
  rows: readonly ClaimedRow[],
  { claimToken, isProbe }: { readonly claimToken: string; readonly isProbe: boolean },
): ClaimedDelivery[] {
  const secrets = new Map<string, readonly Buffer[]>();
  const addresses = new Map<string, Buffer>();
  const bodies = new Map<string, Buffer>();
  const nameEvent = (row: ClaimedRow): string => `${row.account_id} ${row.event_id}`;
  for (const row of rows) {
    if (row.secrets !== null) secrets.set(row.endpoint_id, row.secrets);
    if (row.url_sealed !== null) addresses.set(row.endpoint_id, row.url_sealed);
    if (row.body !== null) bodies.set(nameEvent(row), row.body);
  }
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    generation: row.generation,
    attemptCount: row.attempt_count,
    createdAt: new Date(row.created_ms),
    claimToken,
    address: { url: row.url, sealed: addresses.get(row.endpoint_id) ?? null, origin: null },
    urlVersion: row.url_version,
    channelKind: row.channel_kind,
    keepsAnswers: row.keeps_answers,
    body: bodies.get(nameEvent(row)) ?? null,
    sealedSecrets: secrets.get(row.endpoint_id) ?? [],
    isProbe,
    traceparent: row.traceparent,
    endpointAllowance: row.allowance,
  }));
}
