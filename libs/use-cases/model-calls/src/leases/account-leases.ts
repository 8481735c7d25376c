import type { ChangedLease, DrawnAmount, DrawnCall, LeaseChange, LeaseChanges, SpendRequest } from '@steward/budgets';
import { fromPico, toPico } from '@steward/money';
import type { LeasesDeps } from './create-leases.ts';
import { Demand } from './demand.ts';
import { Lease, type Drawn } from './lease.ts';

/** State for the calls of one API key, agent, flow and model. */
interface Kind {
  readonly demand: Demand;
  lease: Lease | undefined;
  /**
   * Time before which no further amount is leased, because the budgets did not allow the last one, or the lease was
   * lost.
   */
  quietUntilMs: number;
  /** The newest request. */
  request: SpendRequest;
}

/** Outcome of a statement that changes the leases of an account. */
export interface ChangedLeases {
  /** Time when the statement was sent, by the local clock. */
  readonly sentAtMs: number;
  /** The leases, in the order of the changes. */
  readonly leases: readonly ChangedLease[];
}

export type ChangeAll = (changes: LeaseChanges) => Promise<ChangedLeases>;

type AccountLeasesDeps = LeasesDeps & { readonly changeAll: ChangeAll };

interface Planned {
  readonly lease: Lease;
  readonly plan: LeaseChange;
  /** Kind of calls that use the lease. Undefined for a lease that is no longer used. */
  readonly kind: Kind | undefined;
}

/**
 * Duration after which a call gets a separate reservation; before that, it gets one only if its lease is no longer
 * used.
 */
const RECORD_AFTER_MS = 200;
const QUIET_MS = 1000;
const CONFIRM_MS = 20_000;
const FORGET_MS = 10_000;

/**
 * The leases of one account in this process, and the calls that were granted from them. Only one statement runs at a
 * time.
 */
export class AccountLeases {
  readonly #id: string;
  readonly #deps: AccountLeasesDeps;
  readonly #kinds = new Map<string, Kind>();
  readonly #retired = new Set<Lease>();
  readonly #drawn = new Map<string, { readonly lease: Lease; readonly call: Drawn }>();
  #running: Promise<void> | undefined;
  /** Time until which nothing is leased in advance of calls. */
  #isShortUntilMs = -Infinity;
  /** Time before which no statement is sent to the database. */
  #retryAtMs = -Infinity;

  constructor(id: string, deps: AccountLeasesDeps) {
    this.#id = id;
    this.#deps = deps;
  }

  /** True if there are no leases and no calls, and none are expected. */
  get isIdle(): boolean {
    return this.#kinds.size === 0 && this.#retired.size === 0 && this.#drawn.size === 0;
  }

  get isChanging(): boolean {
    return this.#running !== undefined;
  }

  draw(request: SpendRequest, amountUsd: string, revision: number): { readonly occurredAt: Date } | undefined {
    const kind = this.#openKind(request);
    const [pico, localMs] = [toPico(amountUsd), this.#deps.readLocalMs()];
    kind.demand.note(pico, localMs);
    const { lease } = kind;
    if (lease?.isKnown !== true) return undefined;
    const now = this.#readNow(lease, localMs);
    if (!lease.isUsable(now, revision)) {
      this.#retire(kind);
      return undefined;
    }
    const occurredAt = new Date(Math.floor(now));
    const call: Drawn = { request, pico, occurredAt, drawnAtMs: localMs, recording: undefined, isEnding: false };
    if (!lease.draw(request.id, call)) return undefined;
    this.#drawn.set(request.id, { lease, call });
    return { occurredAt };
  }

  async record(id: string): Promise<void> {
    const entry = this.#drawn.get(id);
    if (entry === undefined) return;
    for (const kind of this.#kinds.values()) if (kind.lease === entry.lease) this.#retire(kind);
    await this.tend();
  }

  async beginEnd(id: string): Promise<DrawnAmount | undefined> {
    await this.#drawn.get(id)?.call.recording;
    const entry = this.#drawn.get(id);
    if (entry === undefined) return undefined;
    const { lease, call } = entry;
    call.isEnding = true;
    const isAlive = lease.isSafelyAlive(this.#readNow(lease, this.#deps.readLocalMs()));
    if (!isAlive) await this.tend().catch(this.#deps.onFailed);
    return this.#drawn.has(id) ? { leaseId: lease.id, amountUsd: fromPico(call.pico) } : undefined;
  }

  forget(id: string): void {
    this.#drawn.get(id)?.lease.drawn.delete(id);
    this.#drawn.delete(id);
  }

  async giveBack(): Promise<void> {
    this.#isShortUntilMs = this.#deps.readLocalMs() + QUIET_MS;
    await this.tend();
  }

  async close(): Promise<void> {
    for (const kind of this.#kinds.values()) this.#retire(kind);
    await this.tend();
  }

  async tend(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
    this.#running = this.#change().finally(() => (this.#running = undefined));
    await this.#running;
  }

  #openKind(request: SpendRequest): Kind {
    const { apiKeyId, managedAgentId, flowId, modelAlias } = request;
    const name = JSON.stringify([apiKeyId, managedAgentId, flowId, modelAlias]);
    const kind = this.#kinds.get(name) ?? {
      ...{ demand: new Demand(this.#deps.readLocalMs()), lease: undefined, quietUntilMs: -Infinity, request },
    };
    kind.request = request;
    this.#kinds.set(name, kind);
    return kind;
  }

  #readNow(lease: Lease, localMs: number): number {
    return this.#deps.periods?.now().getTime() ?? lease.readNow(localMs);
  }

  #retire(kind: Kind): void {
    if (kind.lease === undefined) return;
    kind.lease.retire();
    this.#retired.add(kind.lease);
    kind.lease = undefined;
  }

  /**
   * Returns the calls of a lease that get separate reservations: those that have run for `RECORD_AFTER_MS`, or all if
   * the lease is no longer used.
   */
  #planCalls(lease: Lease, localMs: number): DrawnCall[] {
    const planned: DrawnCall[] = [];
    for (const drawn of lease.drawn.values()) {
      if (drawn.isEnding || (!lease.isRetired && localMs - drawn.drawnAtMs < RECORD_AFTER_MS)) continue;
      const { request, pico, occurredAt } = drawn;
      const { id, tokens = 0, call } = request;
      planned.push({ id, leaseId: lease.id, amountUsd: fromPico(pico), occurredAt, tokens, call });
    }
    return planned;
  }

  #planKind(kind: Kind, localMs: number): Planned | undefined {
    const wanted = localMs < this.#isShortUntilMs ? 0n : kind.demand.want(localMs);
    if (wanted === 0n && kind.lease?.drawn.size === 0) this.#retire(kind);
    const isQuiet = localMs < kind.quietUntilMs;
    if (kind.lease === undefined && wanted > 0n && !isQuiet) kind.lease = new Lease(kind.request);
    const { lease } = kind;
    if (lease === undefined) return undefined;
    const mustConfirm = lease.isKnown && !lease.isSafelyAlive(this.#readNow(lease, localMs) + CONFIRM_MS);
    const most = isQuiet && lease.free < wanted ? lease.free : wanted;
    const plan = lease.plan(most, kind.demand.largest, mustConfirm);
    return plan === undefined ? undefined : { lease, plan, kind };
  }

  #plan(localMs: number) {
    const plans = [...this.#kinds.values()].flatMap((kind) => this.#planKind(kind, localMs) ?? []);
    const retired = [...this.#retired].flatMap((lease) => {
      const plan = lease.plan(0n, 0n, false);
      return plan === undefined ? [] : [{ lease, plan, kind: undefined }];
    });
    const leases = [...this.#retired, ...[...this.#kinds.values()].flatMap(({ lease }) => lease ?? [])];
    return { plans: [...plans, ...retired], calls: leases.flatMap((lease) => this.#planCalls(lease, localMs)) };
  }

  #forgetIdleKinds(localMs: number): void {
    for (const [name, { lease, demand }] of this.#kinds)
      if (lease === undefined && demand.idleMs(localMs) > FORGET_MS) this.#kinds.delete(name);
  }

  async #change(): Promise<void> {
    const localMs = this.#deps.readLocalMs();
    if (localMs < this.#retryAtMs) return;
    this.#forgetIdleKinds(localMs);
    const { plans, calls } = this.#plan(localMs);
    if (plans.length === 0 && calls.length === 0) return;
    const changes = { accountId: this.#id, calls, leases: plans.map(({ plan }) => plan) };
    const changing = this.#deps.changeAll(changes);
    const recording = changing.catch(() => undefined);
    for (const { id } of calls) this.#markRecording(id, recording);
    let changed: ChangedLeases;
    try {
      changed = await changing;
    } catch (error) {
      // It is unknown what was written, so the leases are no longer used; each is released when its calls have ended.
      for (const kind of this.#kinds.values()) this.#retire(kind);
      for (const { id } of calls) this.#noteRecorded(id);
      this.#retryAtMs = localMs + QUIET_MS;
      throw error;
    }
    const { sentAtMs, leases } = changed;
    const lost = plans.filter((planned, index) => this.#take(planned, leases[index], sentAtMs));
    for (const { id, leaseId } of calls) if (!lost.some(({ lease }) => lease.id === leaseId)) this.#noteRecorded(id);
    for (const { lease } of lost) await this.#recover(lease);
  }

  #markRecording(id: string, recording: Promise<unknown>): void {
    const entry = this.#drawn.get(id);
    if (entry !== undefined) entry.call.recording = recording;
  }

  #noteRecorded(id: string): void {
    this.forget(id);
    this.#deps.onRecorded(this.#id, id);
  }

  /**
   * Applies the change that the database made to a lease.
   * @returns true if the database considered the process of the lease dead
   */
  #take({ lease, plan, kind }: Planned, changed: ChangedLease | undefined, sentAtMs: number): boolean {
    const localMs = this.#deps.readLocalMs();
    if (changed?.state === 'held') {
      lease.take(plan, changed, { sentAtMs, aliveMs: this.#deps.aliveSeconds * 1000 });
      if (kind?.lease === lease && lease.isRetired) this.#retire(kind);
      if (kind !== undefined && toPico(changed.addedUsd) < toPico(plan.addUsd)) kind.quietUntilMs = localMs + QUIET_MS;
      return false;
    }
    if (kind !== undefined) kind.quietUntilMs = localMs + QUIET_MS;
    if (kind?.lease === lease) kind.lease = undefined;
    this.#retired.delete(lease);
    lease.retire();
    return changed?.state === 'assumed';
  }

  async #recover(lease: Lease): Promise<void> {
    const drawn = [...lease.drawn];
    for (const [id] of drawn) this.forget(id);
    const occurredAt = new Date(this.#readNow(lease, this.#deps.readLocalMs()));
    const calls = drawn.flatMap(([, { isEnding, request, occurredAt: at }]) =>
      isEnding ? [] : [{ request, occurredAt: at }],
    );
    await this.#deps.onLost({ accountId: this.#id, id: lease.id, occurredAt, request: lease.request, calls });
  }
}
