import { createBatchQueue, type Clock, type Turns } from '@steward/async';
import { beginTrace } from '@steward/crypto';
import { refuseBusy, transact, type AnyDatabase, type HintPublisher, retryDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import {
  appendSessionContent,
  type RenderedEntry,
  type SessionContentEntry,
  type SessionWriteOptions,
  type ContentRenderer,
} from '@steward/sessions';
import { toStorableJson } from '@steward/text';
import { describeCall, sizeOf, type CapturedCall } from './captured-call.ts';

export interface CaptureDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: SessionWriteOptions;
  readonly contentRenderer: Pick<ContentRenderer, 'render'>;
  /** Limits all writes that happen after answers, since answers in progress need connections, too. */
  readonly turns: Turns;
}

/** Stores calls after their responses. */
export interface CaptureQueue {
  /** Resolves when it is stored, or was given up: storing a call must never fail another one. */
  add(call: CapturedCall, sessionId: string): Promise<void>;
  /** Undefined if there is room; otherwise callers wait, because too much waits to be stored. */
  waitForCapacity(): Promise<void> | undefined;
  drain(): Promise<void>;
}

interface Item {
  readonly call: CapturedCall;
  readonly sessionId: string;
  readonly entry: SessionContentEntry;
  readonly rendered: RenderedEntry | undefined;
}

/** Total size of waiting copies. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export function createCaptureQueue(deps: CaptureDeps): CaptureQueue {
  let waitingBytes = 0;
  const adding = new Set<Promise<void>>();
  const queue = createBatchQueue<Item, void>({
    maxItems: 32,
    maxWaiting: Infinity,
    timeoutMs: 24 * 3_600_000,
    refuse: refuseBusy,
    async run(items) {
      await Promise.all(
        groupItems(items).map((group) => retryDatabase(() => deps.turns.run(() => storeGroup(deps, group)))),
      );
      return items.map(() => undefined);
    },
    mayRunSingly: () => true,
  });

  async function store(call: CapturedCall, sessionId: string): Promise<void> {
    const entry = describeCall(call);
    const rendered = await renderLarge(deps, call, entry);
    await queue.add({ call, sessionId, entry: rendered === undefined ? entry : makeStorable(entry), rendered });
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

/** Groups of one write: one session and key; a call rendered elsewhere is a group of its own. */
function groupItems(items: readonly Item[]): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const { principal, id } = item.call;
    const key = [item.sessionId, principal.apiKeyId, item.rendered === undefined ? '' : id].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

/** Repeating it stores nothing twice, since calls have ids. */
async function storeGroup(deps: CaptureDeps, group: readonly Item[]): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const { principal, traceparent } = first.call;
  const rendered = group.flatMap((item) => item.rendered ?? []);
  const input = {
    accountId: principal.accountId,
    sessionId: first.sessionId,
    apiKeyId: principal.apiKeyId,
    entries: group.map(({ entry }) => entry),
    ...(rendered.length === 0 ? {} : { rendered }),
    now: deps.clock.now(),
  };
  await transact({ ...deps, traceparent: group.length === 1 ? traceparent : beginTrace() }, (trx, hints) =>
    appendSessionContent(trx, hints, input, deps.options),
  );
}

/** A call that was rendered elsewhere is stored unchanged. */
function makeStorable({ occurredAt, ...texts }: SessionContentEntry): SessionContentEntry {
  return { ...toStorableJson(texts), occurredAt } as SessionContentEntry;
}

/** Renders in the thread for large bodies; if that has no room, this thread does it. */
async function renderLarge(deps: CaptureDeps, call: CapturedCall, entry: SessionContentEntry) {
  const { captureContent } = deps.options;
  if (!captureContent || sizeOf(call) < 32 * 1024) return undefined;
  const rawBody = Buffer.from(JSON.stringify({ entries: [entry] }));
  const rendered = await deps.contentRenderer
    .render(call.principal.accountId, { kind: 'entries', rawBody, captureContent })
    .catch(() => undefined);
  return rendered?.[0];
}
