import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { changeLeases, type ChangedLease, type DrawnCall, type LeaseChange, type SpendRequest } from '@steward/budgets';
import { fromPico, toPico } from '@steward/money';
import { Demand } from './demand.ts';
import { Lease, type Drawn } from './lease.ts';

/** What a call that ends gives back to the lease it was granted from. */
export interface DrawnAmount {
  readonly leaseId: string;
  readonly amountUsd: string;
}

/** What is to be written of a lease that was taken for dead: its calls go on. */
export interface LostLease {
  readonly accountId: string;
  readonly id: string;
  readonly occurredAt: Date;
  readonly request: SpendRequest;
  readonly calls: readonly { readonly request: SpendRequest; readonly occurredAt: Date }[];
}

export interface LeasesDeps {
  readonly db: AnyDatabase;
  readonly aliveSeconds: number;
  readonly periods: Clock | undefined;
  /** Told of each call that has a reservation of its own now. */
  readonly onRecorded: (accountId: string, id: string) => void;
  /** The database counts a lease as spent whose process was taken for dead. */
  readonly onLost: (lost: LostLease) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly readLocalMs: () => number;
}

/** Parts of budgets that this process holds ahead of calls, so that a call needs no way to the database before its provider is asked. */
export interface Leases {
  /** Grants a call, at once. Undefined: it asks the database. @param revision - of the account's budgets, as it holds for the call */
  draw(
    accountId: string,
    request: SpendRequest,
    revision: number | undefined,
  ): { readonly occurredAt: Date } | undefined;
  /** Resolves when the call has a reservation of its own, unless it never was granted from a lease. */
  record(accountId: string, id: string): Promise<void>;
  /** Before a call ends. Undefined: it has a reservation of its own, or none. */
  beginEnd(accountId: string, id: string): Promise<DrawnAmount | undefined>;
  /** After a call has ended. */
  forget(accountId: string, id: string): void;
  /** Gives back what is free, for a call that finds no room. */
  giveBack(accountId: string): Promise<void>;
  /** Writes down what was granted, lets leases grow and shrink. Again and again while there are any. */
  tend(): Promise<void>;
  /** Gives back everything; no call may be under way. */
  close(): Promise<void>;
}

interface Kind {
  readonly demand: Demand;
  lease: Lease | undefined;
  /** No lease is tried before: there was no room. */
  quietUntilMs: number;
  /** The newest. */
  request: SpendRequest;
}

interface Planned {
  readonly lease: Lease;
  readonly plan: LeaseChange;
  /** Undefined: it is not used any more. */
  readonly kind: Kind | undefined;
}

interface Taken {
  readonly changed: ChangedLease | undefined;
  readonly localMs: number;
}

interface Account {
  readonly id: string;
  readonly kinds: Map<string, Kind>;
  readonly retired: Set<Lease>;
  /** Calls that were granted from a lease, by id. */
  readonly drawn: Map<string, { readonly lease: Lease; readonly call: Drawn }>;
  running: Promise<void> | undefined;
  /** Nothing is held ahead of calls before. */
  isShortUntilMs: number;
  /** The database is not asked before. */
  retryAtMs: number;
}

/** Calls that end sooner never have a reservation of their own. */
const RECORD_AFTER_MS = 200;
const QUIET_MS = 1000;
const CONFIRM_MS = 20_000;
const FORGET_MS = 10_000;

export function createLeases(deps: LeasesDeps): Leases {
  const { readLocalMs } = deps;
  const accounts = new Map<string, Account>();

  function openAccount(id: string): Account {
    const account = accounts.get(id) ?? {
      ...{ id, kinds: new Map<string, Kind>(), retired: new Set<Lease>(), drawn: new Map() },
      ...{ running: undefined, isShortUntilMs: -Infinity, retryAtMs: -Infinity },
    };
    accounts.set(id, account);
    return account;
  }

  function openKind(account: Account, request: SpendRequest): Kind {
    const { apiKeyId, managedAgentId, flowId, modelAlias } = request;
    const name = JSON.stringify([apiKeyId, managedAgentId, flowId, modelAlias]);
    const kind = account.kinds.get(name) ?? {
      ...{ demand: new Demand(readLocalMs()), lease: undefined, quietUntilMs: -Infinity, request },
    };
    kind.request = request;
    account.kinds.set(name, kind);
    return kind;
  }

  const readNow = (lease: Lease, localMs: number): number => deps.periods?.now().getTime() ?? lease.readNow(localMs);

  function retire(account: Account, kind: Kind): void {
    if (kind.lease === undefined) return;
    kind.lease.retire();
    account.retired.add(kind.lease);
    kind.lease = undefined;
  }

  /** One statement of an account at a time. */
  async function tendAccount(account: Account): Promise<void> {
    while (account.running !== undefined) await account.running.catch(() => undefined);
    account.running = change(account).finally(() => (account.running = undefined));
    await account.running;
  }

  /** Calls that go on for longer get reservations of their own, and all of a lease that is not used any more. */
  function planCalls(lease: Lease, localMs: number): DrawnCall[] {
    return [...lease.drawn].flatMap(([id, drawn]) => {
      if (drawn.isEnding || (!lease.isRetired && localMs - drawn.drawnAtMs < RECORD_AFTER_MS)) return [];
      const { request, pico, occurredAt } = drawn;
      const tokens = request.tokens ?? 0;
      return [{ id, leaseId: lease.id, amountUsd: fromPico(pico), occurredAt, tokens, call: request.call }];
    });
  }

  function planKind(account: Account, kind: Kind, localMs: number): Planned | undefined {
    const isShort = localMs < account.isShortUntilMs;
    const wanted = isShort ? 0n : kind.demand.want(localMs);
    if (wanted === 0n && kind.lease?.drawn.size === 0) retire(account, kind);
    const isQuiet = localMs < kind.quietUntilMs;
    if (kind.lease === undefined && wanted > 0n && !isQuiet) kind.lease = new Lease(kind.request);
    const { lease } = kind;
    if (lease === undefined) return undefined;
    const mustConfirm = lease.isKnown && !lease.isSafelyAlive(readNow(lease, localMs) + CONFIRM_MS);
    const most = isQuiet && lease.free < wanted ? lease.free : wanted;
    const plan = lease.plan(most, kind.demand.largest, mustConfirm);
    return plan === undefined ? undefined : { lease, plan, kind };
  }

  function planAccount(account: Account, localMs: number) {
    const plans = [...account.kinds.values()].flatMap((kind) => planKind(account, kind, localMs) ?? []);
    const retired = [...account.retired].flatMap((lease) => {
      const plan = lease.plan(0n, 0n, false);
      return plan === undefined ? [] : [{ lease, plan, kind: undefined }];
    });
    const leases = [...account.retired, ...[...account.kinds.values()].flatMap(({ lease }) => lease ?? [])];
    return { plans: [...plans, ...retired], calls: leases.flatMap((lease) => planCalls(lease, localMs)) };
  }

  function forgetIdle(account: Account, localMs: number): void {
    for (const [name, { lease, demand }] of account.kinds)
      if (lease === undefined && demand.idleMs(localMs) > FORGET_MS) account.kinds.delete(name);
    if (account.kinds.size === 0 && account.retired.size === 0 && account.drawn.size === 0) accounts.delete(account.id);
  }

  async function change(account: Account): Promise<void> {
    const localMs = readLocalMs();
    if (localMs < account.retryAtMs) return;
    forgetIdle(account, localMs);
    const { plans, calls } = planAccount(account, localMs);
    if (plans.length === 0 && calls.length === 0) return;
    const changing = changeLeases(deps.db, {
      ...{ accountId: account.id, aliveSeconds: deps.aliveSeconds, at: deps.periods?.now() },
      ...{ calls, leases: plans.map(({ plan }) => plan) },
    });
    for (const { id } of calls) mark(account, id, changing);
    let changed: readonly ChangedLease[];
    try {
      changed = await changing;
    } catch (error) {
      // Nobody knows what was written. What is left of the leases goes back when their calls have ended.
      for (const kind of account.kinds.values()) retire(account, kind);
      for (const { id } of calls) noteRecorded(account, id);
      account.retryAtMs = localMs + QUIET_MS;
      throw error;
    }
    const lost = plans.filter((planned, index) => takeChange(account, planned, { changed: changed[index], localMs }));
    const isLost = (leaseId: string): boolean => lost.some(({ lease }) => lease.id === leaseId);
    for (const { id, leaseId } of calls) if (!isLost(leaseId)) noteRecorded(account, id);
    for (const { lease } of lost) await recover(account, lease);
  }

  /** @returns whether it was taken for that of a dead process */
  function takeChange(account: Account, { lease, plan, kind }: Planned, { changed, localMs }: Taken): boolean {
    if (changed?.state === 'held') {
      lease.take(plan, changed, { sentAtMs: localMs, aliveMs: deps.aliveSeconds * 1000 });
      if (kind?.lease === lease && lease.isRetired) retire(account, kind);
      if (kind !== undefined && toPico(changed.addedUsd) < toPico(plan.addUsd)) kind.quietUntilMs = localMs + QUIET_MS;
      return false;
    }
    if (kind !== undefined) kind.quietUntilMs = localMs + QUIET_MS;
    if (kind?.lease === lease) kind.lease = undefined;
    account.retired.delete(lease);
    lease.retire();
    return changed?.state === 'assumed';
  }

  function mark(account: Account, id: string, changing: Promise<unknown>): void {
    const entry = account.drawn.get(id);
    if (entry !== undefined) entry.call.recording = changing.catch(() => undefined);
  }

  function noteRecorded(account: Account, id: string): void {
    forget(account, id);
    deps.onRecorded(account.id, id);
  }

  function forget(account: Account, id: string): void {
    account.drawn.get(id)?.lease.drawn.delete(id);
    account.drawn.delete(id);
  }

  async function recover(account: Account, lease: Lease): Promise<void> {
    const calls = [...lease.drawn].filter(([, { isEnding }]) => !isEnding);
    const [, first] = [...lease.drawn][0] ?? [];
    for (const id of [...lease.drawn.keys()]) forget(account, id);
    const request = first?.request ?? [...account.kinds.values()][0]?.request;
    if (request === undefined) return;
    await deps.onLost({
      accountId: account.id,
      id: lease.id,
      occurredAt: new Date(readNow(lease, readLocalMs())),
      request: { ...request, ...lease.subject },
      calls: calls.map(([, { request: one, occurredAt }]) => ({ request: one, occurredAt })),
    });
  }

  return {
    draw(accountId, request, revision) {
      const { amountUsd, isUnsized, keyLimits = [], replaces } = request;
      if (amountUsd === null || isUnsized === true || keyLimits.length > 0 || replaces !== undefined) return undefined;
      if (revision === undefined) return undefined;
      const account = openAccount(accountId);
      const kind = openKind(account, request);
      const [pico, localMs] = [toPico(amountUsd), readLocalMs()];
      kind.demand.note(pico, localMs);
      const { lease } = kind;
      if (lease?.isKnown !== true) return undefined;
      const now = readNow(lease, localMs);
      if (!lease.isUsable(now, revision)) {
        retire(account, kind);
        return undefined;
      }
      const occurredAt = new Date(Math.floor(now));
      const call: Drawn = { request, pico, occurredAt, drawnAtMs: localMs, recording: undefined, isEnding: false };
      if (!lease.draw(request.id, call)) return undefined;
      account.drawn.set(request.id, { lease, call });
      return { occurredAt };
    },
    async record(accountId, id) {
      const account = accounts.get(accountId);
      const entry = account?.drawn.get(id);
      if (account === undefined || entry === undefined) return;
      for (const kind of account.kinds.values()) if (kind.lease === entry.lease) retire(account, kind);
      await tendAccount(account);
    },
    async beginEnd(accountId, id) {
      const account = accounts.get(accountId);
      const entry = account?.drawn.get(id);
      if (account === undefined || entry === undefined) return undefined;
      await entry.call.recording;
      if (!account.drawn.has(id)) return undefined;
      entry.call.isEnding = true;
      const { lease, call } = entry;
      if (!lease.isSafelyAlive(readNow(lease, readLocalMs()))) await tendAccount(account).catch(deps.onFailed);
      return account.drawn.has(id) ? { leaseId: lease.id, amountUsd: fromPico(call.pico) } : undefined;
    },
    forget(accountId, id) {
      const account = accounts.get(accountId);
      if (account !== undefined) forget(account, id);
    },
    async giveBack(accountId) {
      const account = accounts.get(accountId);
      if (account === undefined) return;
      account.isShortUntilMs = readLocalMs() + QUIET_MS;
      await tendAccount(account);
    },
    async tend() {
      await Promise.all([...accounts.values()].map((account) => tendAccount(account).catch(deps.onFailed)));
    },
    async close() {
      for (const account of accounts.values()) {
        for (const kind of account.kinds.values()) retire(account, kind);
        await tendAccount(account).catch(deps.onFailed);
      }
    },
  };
}
