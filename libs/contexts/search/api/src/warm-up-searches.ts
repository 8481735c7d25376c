import type { Logger } from '@steward/process';
import { createSearchService, type SearchPorts } from '@steward/search';

const ignore = (): void => undefined;
const QUIET: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => QUIET };

/**
 * Searches concurrently on each server, so that every connection of its pools is opened and has loaded what a search
 * needs. An unavailable server is skipped.
 */
export async function warmUpSearches(
  servers: readonly Omit<SearchPorts, 'logger' | 'recordAudit'>[],
  { accountId, count }: { readonly accountId: string; readonly count: number },
): Promise<void> {
  const call = {
    accountId,
    actor: { kind: 'anonymous', id: null },
    source: 'console',
    action: 'warm_up',
    resourceType: 'runtime_session',
    requestId: 'warm-up',
    asked: { query: undefined, details: {} },
    signal: new AbortController().signal,
  } as const;
  await Promise.allSettled(
    servers.flatMap((ports) => {
      const { search } = createSearchService({ ...ports, logger: QUIET, recordAudit: () => Promise.resolve() });
      return Array.from({ length: count }, () => search({ query: 'warm up' }, call));
    }),
  );
}
