import { createBatchQueue, createTurns, mapInSlices, type Clock, type Turns } from '@steward/async';
import { beginTrace } from '@steward/crypto';
import { refuseBusy, transact, type AnyDatabase, type HintPublisher, retryDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import {
  appendSessionContent,
  appendToFreeSessions,
  type RenderedEntry,
  type SessionContentEntry,
  type SessionWriteOptions,
  type ContentRenderer,
} from '@steward/sessions';
import { renderSearch, toStorableEntry } from '@steward/sessions/render-entry';
import { describeCall, sizeOf, type CapturedCall } from './captured-call.ts';

export interface CaptureDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: SessionWriteOptions;
  readonly contentRenderer: Pick<ContentRenderer, 'render'>;
  /** Limits the database connections of all writes after responses, because calls in progress need connections, too. */
  readonly turns: Turns;
}

/** Stores calls after their responses. */
export interface CaptureQueue {
  /**
   * Stores a call. Resolves when the call is stored or abandoned: a failure to store one call must never affect another
   * one.
   */
  add(call: CapturedCall, sessionId: string): Promise<void>;
  /**
   * Returns undefined if there is space; otherwise a promise that callers have to await, because too much data is
   * waiting to be stored.
   */
  waitForCapacity(): Promise<void> | undefined;
  drain(): Promise<void>;
}

interface WaitingItem {
  readonly call: CapturedCall;
  readonly sessionId: string;
  readonly described: Partial<RenderedCall>;
}

interface RenderedCall {
  readonly entry: SessionContentEntry;
  /** Undefined if content is not indexed when it is stored. */
  readonly rendered: RenderedEntry | undefined;
}

type Item = Omit<WaitingItem, 'described'> & RenderedCall;

/** Calls of one session and key. */
type Group = readonly [Item, ...Item[]];

/** Maximum total size of waiting copies. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/**
 * Size in bytes from which calls are rendered in the worker thread. The limit is lower than for the bodies of requests,
 * because no client waits for the rendering, whereas rendering in this thread would delay all calls in progress by a
 * millisecond.
 */
const LEAST_RENDERED_APART = 32 * 1024;
/** Maximum number of calls stored in one transaction, which locks their sessions. */
const MAX_ITEMS = 64;
/**
 * Maximum number of connections that wait for sessions locked by other transactions: the other connections are left to
 * other sessions.
 */
const MAX_BLOCKED = 1;

export function createCaptureQueue(deps: CaptureDeps): CaptureQueue {
  let waitingBytes = 0;
  const adding = new Set<Promise<void>>();
  const blocked = createTurns(MAX_BLOCKED);
  const queue = createBatchQueue<WaitingItem, Promise<void> | undefined>({
    maxItems: MAX_ITEMS,
    maxWaiting: Infinity,
    timeoutMs: 24 * 3_600_000,
    refuse: refuseBusy,
    async run(waiting) {
      // Rendering takes longer than all other steps here. It is done in slices, so that requests that arrive in the
      // meantime are processed first.
      const items = await mapInSlices(waiting, (item) => ({ ...item, ...renderHere(deps, item) }));
      const left = new Map<Item, Promise<void>>();
      for (const groups of arrangeGroups(items))
        for (const item of await storeFree(deps, groups)) left.set(item, storeBlocked(item));
      return items.map((item) => left.get(item));
    },
    mayRunSingly: () => true,
  });

  function storeBlocked(item: Item): Promise<void> {
    const stored = retryDatabase(() => blocked.run(() => deps.turns.run(() => storeAlone(deps, item))));
    // `add` handles the error.
    stored.catch(() => undefined);
    return stored;
  }

  async function store(call: CapturedCall, sessionId: string): Promise<void> {
    await queue.add({ call, sessionId, described: await renderLarge(deps, call) });
  }

  return {
    add(call, sessionId) {
      const size = sizeOf(call);
      waitingBytes += size;
      const added = store(call, sessionId)
        .catch((error: unknown) => {
          const ids = { account_id: call.principal.accountId, runtime_session_id: sessionId, call_id: call.id };
          deps.logger.error('model_call.not_stored', { ...ids, error });
        })
        .finally(() => {
          waitingBytes -= size;
          adding.delete(added);
        });
      adding.add(added);
      return added;
    },
    waitForCapacity: () => (waitingBytes > MAX_WAITING_BYTES ? Promise.race(adding) : undefined),
    async drain() {
      while (adding.size > 0) await Promise.all(adding);
      await queue.drain();
    },
  };
}

/** Arranges items into lists of groups, one list per transaction; within a transaction, a session occurs only once. */
function arrangeGroups(items: readonly Item[]): Group[][] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const key = `${item.sessionId} ${item.call.principal.apiKeyId}`;
    const known = groups.get(key);
    groups.set(key, known === undefined ? [item] : [...known, item]);
  }
  const rounds: Map<string, Group>[] = [];
  for (const group of groups.values()) {
    const { sessionId } = group[0];
    const free = rounds.find((round) => !round.has(sessionId));
    if (free === undefined) rounds.push(new Map([[sessionId, group]]));
    else free.set(sessionId, group);
  }
  return rounds.map((round) => [...round.values()]);
}

/**
 * Stores, in one transaction, all calls whose sessions are free. Repeating the transaction stores nothing twice, since
 * calls have ids.
 * @returns the remaining calls, whose sessions are locked by other transactions: waiting for the locks would delay the
 * other calls
 */
async function storeFree(deps: CaptureDeps, groups: readonly Group[]): Promise<readonly Item[]> {
  const store = () => {
    const inputs = groups.map((group) => describeGroup(deps, group));
    return transact({ ...deps, traceparent: beginTrace() }, (trx, hints) =>
      appendToFreeSessions(trx, hints, inputs, deps.options),
    );
  };
  const stored = await retryDatabase(() => deps.turns.run(store));
  return groups.flatMap((group, index) => (stored[index] === undefined ? group : []));
}

async function storeAlone(deps: CaptureDeps, item: Item): Promise<void> {
  await transact({ ...deps, traceparent: item.call.traceparent }, (trx, hints) =>
    appendSessionContent(trx, hints, describeGroup(deps, [item]), deps.options),
  );
}

function describeGroup({ clock }: CaptureDeps, group: Group) {
  const [{ call, sessionId }] = group;
  const { accountId, apiKeyId } = call.principal;
  return {
    ...{ accountId, sessionId, apiKeyId, now: clock.now() },
    entries: group.map(({ entry }) => entry),
    rendered: group.map(({ rendered }) => rendered),
    traceparent: group.length === 1 ? call.traceparent : undefined,
  };
}

/**
 * Renders a call in this thread, unless the worker thread has rendered it. The storable entry is always created here,
 * because the worker thread returns only the rendered form.
 */
function renderHere({ options }: CaptureDeps, { call, described }: WaitingItem): RenderedCall {
  const entry = toStorableEntry(described.entry ?? describeCall(call));
  const rendered = described.rendered ?? (options.indexEnabled ? renderSearch(entry, options) : undefined);
  return { entry, rendered };
}

/**
 * Renders a large call in the worker thread. A small call, or any call that the worker cannot render now, is left to
 * this thread.
 */
async function renderLarge(deps: CaptureDeps, call: CapturedCall): Promise<Partial<RenderedCall>> {
  const { captureContent } = deps.options;
  if (!captureContent || sizeOf(call) < LEAST_RENDERED_APART) return {};
  const entry = describeCall(call);
  const rawBody = Buffer.from(JSON.stringify({ entries: [entry] }));
  const [rendered] =
    (await deps.contentRenderer
      .render(call.principal.accountId, { kind: 'entries', rawBody, captureContent }, LEAST_RENDERED_APART)
      .catch(() => undefined)) ?? [];
  return rendered === undefined ? { entry } : { entry, rendered };
}
