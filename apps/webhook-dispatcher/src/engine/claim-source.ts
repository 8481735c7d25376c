import { randomUUID } from 'node:crypto';
import type { AnyDatabase } from '@steward/database';
import { claimDeliveries, claimProbes, type ClaimedDelivery } from '@steward/webhooks';
import type { Allowances } from './endpoint-slots.ts';
import type { Held } from './held-queue.ts';

/**
 * Time by which a lease is longer than the time limit of one attempt: for the wait for a slot, and for writing the
 * outcome.
 */
const LEASE_MARGIN_SECONDS = 20;
/** Part of the margin that is reserved for writing the outcome. */
const WRITE_MARGIN_SECONDS = 8;
const PROBE_EVERY_MS = 1000;

/** Claims deliveries for a process: due rows in batches, and occasionally the probes of breakers. */
export class ClaimSource {
  readonly #db: AnyDatabase;
  readonly #leaseSeconds: number;
  #probedAt = Number.NEGATIVE_INFINITY;
  #afterEndpointId: string | undefined;
  #mayHaveMore = false;
  #isUnfinished = false;

  constructor(db: AnyDatabase, options: { readonly webhookDeliveryTimeoutSeconds: number }) {
    this.#db = db;
    this.#leaseSeconds = options.webhookDeliveryTimeoutSeconds + LEASE_MARGIN_SECONDS;
  }

  /** Whether the last batch may have left rows that could use a free slot. */
  get mayHaveMore(): boolean {
    return this.#mayHaveMore;
  }

  /**
   * Whether the next batch is due at once: rows were woken, or nothing was claimed and some endpoints with rows have
   * not been checked yet.
   */
  get isUnfinished(): boolean {
    return this.#isUnfinished;
  }

  async take(room: number, wanted: Allowances): Promise<Held[]> {
    this.#isUnfinished = false;
    if (room <= 0) return [];
    const now = performance.now();
    const claims = await this.#claimDue(room, wanted);
    if (now - this.#probedAt >= PROBE_EVERY_MS && claims.length < room) {
      this.#probedAt = now;
      claims.push(...(await claimProbes(this.#db, this.#describe(room - claims.length))));
    }
    this.#mayHaveMore = claims.length >= room || this.#afterEndpointId !== undefined || isCapped(claims, wanted);
    const usableUntil = now + (LEASE_MARGIN_SECONDS - WRITE_MARGIN_SECONDS) * 1000;
    return claims.map((claim) => ({ claim, usableUntil }));
  }

  async #claimDue(room: number, wanted: Allowances): Promise<ClaimedDelivery[]> {
    const input = { ...this.#describe(room), afterEndpointId: this.#afterEndpointId, ...wanted };
    const { claims, woke, nextAfterEndpointId } = await claimDeliveries(this.#db, input);
    this.#afterEndpointId = nextAfterEndpointId;
    this.#isUnfinished = woke || (nextAfterEndpointId !== undefined && claims.length === 0);
    return claims;
  }

  #describe(limit: number) {
    return { token: randomUUID(), leaseSeconds: this.#leaseSeconds, limit };
  }
}

/** Returns true if there may be more rows: an endpoint got as many rows as allowed, or was not allowed any. */
function isCapped(claims: readonly ClaimedDelivery[], wanted: Allowances): boolean {
  if (wanted.defaultAllowance === 0 || [...wanted.allowances.values()].includes(0)) return true;
  const counts = new Map<string, number>();
  for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  return claims.some(({ endpointId, endpointAllowance }) => (counts.get(endpointId) ?? 0) >= endpointAllowance);
}
