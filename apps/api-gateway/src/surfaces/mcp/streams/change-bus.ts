import type { createMcpHandler } from '@modelcontextprotocol/server';
import { followChanges, type Change, type FeedDeps } from './change-feed.ts';
import type { McpCaller } from '../tool.ts';

type Bus = NonNullable<NonNullable<Parameters<typeof createMcpHandler>[1]>['bus']>;
type BusEvent = Parameters<Parameters<Bus['subscribe']>[0]>[0];

/**
 * Creates the source of change notifications for one stream of a client of the 2026 revision (`subscriptions/listen`),
 * in the SDK's form.
 */
export function createChangeBus(
  deps: FeedDeps,
  { caller, uris, onEnd }: { readonly caller: McpCaller; readonly uris: readonly string[]; readonly onEnd: () => void },
): Bus {
  return {
    publish: () => undefined,
    subscribe(listener) {
      const ending = new AbortController();
      const hear = (change: Change): void => listener(toEvent(change));
      void followChanges(deps, { caller, uris: () => Promise.resolve(uris), hear, signal: ending.signal })
        .catch(() => undefined)
        .finally(() => (ending.signal.aborted ? undefined : onEnd()));
      return () => ending.abort();
    },
  };
}

function toEvent(change: Change): BusEvent {
  if (change.kind === 'updated') return { kind: 'resource_updated', uri: change.uri, params: change.params };
  return { kind: `${change.kind}_list_changed` };
}
