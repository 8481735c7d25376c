import type { ImportedToolCall } from '../session-item.ts';

/** Calls whose result has not come yet. A file that loses results, or never writes them, holds no more than this. */
const MOST_OPEN = 256;
const MOST_OPEN_CHARS = 4 * 1024 * 1024;

export type OpenCall = Omit<ImportedToolCall, 'kind' | 'externalId' | 'result'>;

export interface OpenCalls<Owner> {
  /** Answers what has to make room. A named one is finished by the name of its tool, the oldest first. */
  open(owner: Owner, callId: string, call: OpenCall, isNamed?: boolean): readonly FinishedCall<Owner>[];
  /** The call with its result; undefined when nobody opened it. */
  finish(callId: string, outcome: Pick<ImportedToolCall, 'result' | 'status'>): FinishedCall<Owner> | undefined;
  /** Those left without a result. */
  close(): readonly FinishedCall<Owner>[];
}

export interface FinishedCall<Owner> {
  readonly owner: Owner;
  readonly entry: ImportedToolCall;
}

interface Waiting<Owner> {
  readonly owner: Owner;
  readonly call: OpenCall;
  readonly size: number;
  readonly isNamed: boolean;
}

/**
 * Pairs calls with their results. A call without a result has an id of its own: when the file has grown by the result, the
 * whole call is another entry and is not taken for the one that is there.
 */
export function createOpenCalls<Owner>(): OpenCalls<Owner> {
  const waiting = new Map<string, Waiting<Owner>>();
  let chars = 0;

  const forget = (callId: string, { size }: Waiting<Owner>): void => {
    waiting.delete(callId);
    chars -= size;
  };
  const abandon = (callId: string, waited: Waiting<Owner>): FinishedCall<Owner> => {
    forget(callId, waited);
    const { owner, call } = waited;
    return { owner, entry: { kind: 'tool_call', ...call, externalId: `${callId}:open` } };
  };
  const findNamed = (name: string): [string, Waiting<Owner> | undefined] =>
    [...waiting].find(([, { isNamed, call }]) => isNamed && call.toolName === name) ?? [name, undefined];
  return {
    open(owner, callId, call, isNamed = false) {
      const before = waiting.get(callId);
      const left = before === undefined ? [] : [abandon(callId, before)];
      const size = JSON.stringify(call).length;
      waiting.set(callId, { owner, call, size, isNamed });
      chars += size;
      for (const oldest of waiting) {
        if (waiting.size <= MOST_OPEN && chars <= MOST_OPEN_CHARS) break;
        left.push(abandon(...oldest));
      }
      return left;
    },
    finish(callId, { result, status }) {
      const found = waiting.get(callId);
      const [id, waited] = found === undefined ? findNamed(callId) : [callId, found];
      if (waited === undefined) return undefined;
      forget(id, waited);
      const { owner, call } = waited;
      return {
        owner,
        entry: { kind: 'tool_call', ...call, result, status: status ?? call.status, externalId: id },
      };
    },
    close: () => [...waiting].map(([callId, open]) => abandon(callId, open)),
  };
}
