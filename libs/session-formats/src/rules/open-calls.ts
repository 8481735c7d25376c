import type { ImportedToolCall } from '../session-item.ts';
import { hashContent } from './entry-id.ts';

/**
 * Maximum number of calls that wait for their results. A file may have lost results, or may never have contained them.
 */
const MOST_OPEN = 256;
const MOST_OPEN_CHARS = 4 * 1024 * 1024;

export type OpenCall = Omit<ImportedToolCall, 'kind' | 'externalId' | 'result'>;

export interface OpenCalls<Owner> {
  /**
   * Adds a call. Returns the calls that had to be removed. If `isNamed` is true, the result will name only the tool,
   * and is assigned to the oldest such call of this tool.
   */
  open(owner: Owner, callId: string, call: OpenCall, isNamed?: boolean): readonly FinishedCall<Owner>[];
  /** Removes a call and returns it with its result; undefined if there is no such call. */
  finish(callId: string, outcome: Pick<ImportedToolCall, 'result' | 'status'>): FinishedCall<Owner> | undefined;
  /** Removes the calls without a result, and returns them. */
  close(): readonly FinishedCall<Owner>[];
}

export interface FinishedCall<Owner> {
  readonly owner: Owner;
  readonly entry: ImportedToolCall;
}

interface Waiting<Owner> {
  /** Id of the entry: the id of the call, or a new one if the source gives several calls the same id. */
  readonly id: string;
  readonly owner: Owner;
  readonly call: OpenCall;
  readonly size: number;
  readonly isNamed: boolean;
}

/**
 * Pairs calls with their results. When a file is read again after it has grown, the complete call replaces the call
 * that was stored without a result. If a source gives several calls the same id, a number is appended to the later
 * ones.
 */
export function createOpenCalls<Owner extends object>(): OpenCalls<Owner> {
  const waiting = new Map<string, Waiting<Owner>>();
  const name = createNames<Owner>();
  let chars = 0;

  const forget = (callId: string, { size }: Waiting<Owner>): void => {
    waiting.delete(callId);
    chars -= size;
  };
  const abandon = (callId: string, waited: Waiting<Owner>): FinishedCall<Owner> => {
    forget(callId, waited);
    const { owner, call, id } = waited;
    return { owner, entry: { kind: 'tool_call', ...call, externalId: id, formerId: `${id}:open` } };
  };
  const findNamed = (toolName: string): [string, Waiting<Owner> | undefined] =>
    [...waiting].find(([, { isNamed, call }]) => isNamed && call.toolName === toolName) ?? [toolName, undefined];
  return {
    open(owner, callId, call, isNamed = false) {
      const before = waiting.get(callId);
      const id = name(owner, callId, call);
      const left = before === undefined || before.id === id ? [] : [abandon(callId, before)];
      if (before?.id === id) forget(callId, before);
      const size = JSON.stringify(call).length;
      waiting.set(callId, { id, owner, call, size, isNamed });
      chars += size;
      for (const oldest of waiting) {
        if (waiting.size <= MOST_OPEN && chars <= MOST_OPEN_CHARS) break;
        left.push(abandon(...oldest));
      }
      return left;
    },
    finish(callId, { result, status }) {
      const found = waiting.get(callId);
      const [key, waited] = found === undefined ? findNamed(callId) : [callId, found];
      if (waited === undefined) return undefined;
      forget(key, waited);
      const { owner, call, id } = waited;
      const revision = (call.revision ?? 0) + 1;
      return {
        owner,
        entry: { kind: 'tool_call', ...call, result, status: status ?? call.status, externalId: id, revision },
      };
    },
    close: () => [...waiting].map(([callId, open]) => abandon(callId, open)),
  };
}

/** Maximum number of calls of one session whose ids are remembered. */
const MOST_NAMES = 20_000;

/**
 * Returns a function that creates the id of a call's entry. The id is the same whenever the same call is written again.
 */
function createNames<Owner extends object>() {
  const known = new WeakMap<Owner, Map<string, string[]>>();
  return (owner: Owner, callId: string, { toolName, arguments: given, revision = 0 }: OpenCall): string => {
    const names = known.get(owner) ?? new Map<string, string[]>();
    known.set(owner, names);
    const calls = names.get(callId) ?? [];
    const hash = hashContent([toolName, given]);
    const found = calls.indexOf(hash);
    if (found === -1 && (revision === 0 || calls.length === 0)) calls.push(hash);
    const [oldest] = names.keys();
    if (names.size > MOST_NAMES && oldest !== undefined) names.delete(oldest);
    names.set(callId, calls);
    const number = (found === -1 ? calls.length - 1 : found) + 1;
    return number === 1 ? callId : `${callId}#${number}`;
  };
}
