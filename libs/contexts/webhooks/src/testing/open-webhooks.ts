import { EVENT_TYPES, type EventData } from '@steward/contracts';
import { beginTrace, createSecretBox, newId, openAddress, type StoredAddress } from '@steward/crypto';
import { APP_ROLES, transact, type AnyTransaction, type HintPublisher } from '@steward/database';
import { openClone } from '@steward/database/testing';
import { sql } from 'kysely';
import { claimDeliveries } from '../deliveries/operations/claim-deliveries.ts';
import { emitEvent, type EmitOptions, type EmitOutcome } from '../outbox/operations/emit-event.ts';
import { createEndpoint } from '../endpoints/operations/create-endpoint.ts';
import { createListener } from '../listeners/operations/change-listeners.ts';
import { describeUrlContext } from '../endpoints/rules/url-context.ts';
import { settleAttempts } from '../deliveries/operations/settle-attempts.ts';
import type { ClaimInput } from '../deliveries/store/claim.store.ts';
import type { ClaimedDelivery } from '../deliveries/store/claimed-rows.store.ts';
import type { AttemptVerdict, DeliveryOutcome } from '../deliveries/rules/outcome.ts';

/** Traces of the hints. */
const hinted: (string | undefined)[] = [];
const broker: HintPublisher = { publishHint: (_name, payload) => void hinted.push(payload.traceparent) };
const data = EVENT_TYPES['session.ended'].example as unknown as EventData<'session.ended'>;

export const BREAKER_RULES = { failureThreshold: 10, cooldownSeconds: 900 };

export type OpenWebhooks = Awaited<ReturnType<typeof openWebhooks>>;

/** Opens a cloned database, used with the roles of the two apps, and the steps that most tests need. */
export async function openWebhooks() {
  const clone = await openClone({ poolSize: 12 });
  const { admin, close } = clone;
  const gateway = clone.connectAs(APP_ROLES.apiGateway);
  const dispatcher = clone.connectAs(APP_ROLES.webhookDispatcher);
  const secretBox = createSecretBox('a-secret-key-for-tests-only-0123456789', 'webhook-endpoint');

  function write<T>(work: (trx: AnyTransaction, hints: Parameters<typeof emitEvent>[1]) => Promise<T>): Promise<T> {
    return transact({ db: gateway.db, broker, traceparent: beginTrace() }, work);
  }
  /**
   * Claims in the same way as the dispatcher: a second time if rows were unparked. Leases end only when a test ends
   * them, not because a machine is slow.
   */
  async function claim(options: Partial<ClaimInput> = {}): Promise<ClaimedDelivery[]> {
    const { limit = 50 } = options;
    const input = { leaseSeconds: 3600, limit, defaultAllowance: limit, allowances: new Map(), ...options };
    const { claims, woke } = await claimDeliveries(dispatcher.db, { token: newId(), ...input });
    return woke ? [...claims, ...(await claim(options))] : claims;
  }

  return {
    gateway: gateway.db,
    dispatcher: dispatcher.db,
    /** Connection of the superuser, who is not limited by grants. */
    admin: admin.db,
    secretBox,
    hinted,
    write,
    claim,
    /** Decrypts an address as an app with the key does. */
    openUrl: (endpointId: string, address: StoredAddress): string =>
      openAddress(address, describeUrlContext(endpointId), secretBox),
    async addEndpoint(accountId: string, eventTypes: string[] = []): Promise<string> {
      const input = { accountId, url: 'http://127.0.0.1:1/', description: '', eventTypes };
      const outcome = await write((trx) => createEndpoint(trx, input, secretBox));
      if (outcome.kind !== 'created') throw new Error(outcome.kind);
      return outcome.endpoint.id;
    },
    async addListener(accountId: string, eventTypes: string[] = []): Promise<string> {
      const input = { accountId, userId: newId(), description: '', eventTypes };
      const outcome = await write((trx) => createListener(trx, input, secretBox));
      if (outcome.kind !== 'created') throw new Error(outcome.kind);
      return outcome.listener.id;
    },
    emit(accountId: string, id: string = newId(), options: Partial<EmitOptions> = {}): Promise<EmitOutcome> {
      const event = { type: 'session.ended' as const, id, accountId, occurredAt: new Date(), data };
      return write((trx, hints) => emitEvent(trx, hints, event, { maxPendingPerAccount: 10_000, ...options }));
    },
    /** Claims all due deliveries and settles them with this outcome; returns their number. */
    async settleAll(verdict: AttemptVerdict): Promise<number> {
      const outcomes = (await claim({ limit: 1000 })).map((claimed) => conclude(claimed, verdict));
      await settleAttempts(dispatcher.db, outcomes, { ...BREAKER_RULES, failureThreshold: 1_000_000 });
      return outcomes.length;
    },
    async readPending(accountId: string): Promise<{ counter: number; rows: number }> {
      const { rows } = await sql<{ counter: number; rows: number }>`
        select (select sum(pending)::int from webhooks.outbox_shard where account_id = ${accountId}) as counter,
          (select count(*)::int from webhooks.delivery where account_id = ${accountId}) as rows
      `.execute(admin.db);
      return rows[0] ?? { counter: -1, rows: -1 };
    },
    async empty(): Promise<void> {
      await sql`
        truncate webhooks.delivery, webhooks.endpoint, webhooks.endpoint_secret, webhooks.event, webhooks.outbox_counter,
          webhooks.outbox_shard, webhooks.delivery_done, webhooks.attempt, webhooks.listener, webhooks.listener_event,
          webhooks.given_up
      `.execute(admin.db);
    },
    close,
  };
}

/** Returns the outcome that a worker would report for a claim. */
export function conclude(claimed: ClaimedDelivery, verdict: AttemptVerdict, retryDelayMs = 60_000): DeliveryOutcome {
  const succeeded = verdict === 'delivered';
  return {
    ...claimed,
    deliveryId: claimed.id,
    verdict,
    retryDelayMs: verdict === 'failed' ? retryDelayMs : undefined,
    attempt: {
      number: claimed.attemptCount + 1,
      startedAt: new Date(),
      durationMs: 5,
      dnsMs: null,
      connectMs: 1,
      tlsMs: null,
      firstByteMs: 5,
      responseStatus: succeeded ? 200 : 500,
      error: succeeded ? null : 'HTTP 500',
      errorClass: succeeded ? null : 'http_status',
      remoteAddress: '127.0.0.1',
    },
  };
}
