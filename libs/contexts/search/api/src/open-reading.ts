import { listAgentIds } from '@steward/agents';
import { readCoverageCancellably } from '@steward/backfill';
import { createPools, type AnyDatabase, type Replica } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import { SEARCH_SESSION_SETTINGS, type ReadingPorts } from '@steward/search';
import { findRuntimeSessionsByIdentifier, readSessionHeadings } from '@steward/sessions';

const CANCEL_CONNECTIONS = 2;

export interface Reading {
  readonly ports: ReadingPorts;
  readonly component: Component;
}

export interface ReadingOptions {
  readonly db: AnyDatabase;
  readonly url: string;
  /** Checks each new connection to a replica before its first use. */
  readonly admit?: Replica['admit'];
  /** Name of the server, from which the names of the pools are derived. */
  readonly service: string;
  readonly settings: { readonly searchMaxConcurrent: number; readonly searchTimeoutMs: number };
  readonly logger: Logger;
}

/** Opens connections to one server for everything that searches read. */
export function openReading({
  db,
  url,
  admit,
  service,
  settings: { searchMaxConcurrent, searchTimeoutMs },
  logger,
}: ReadingOptions): Reading {
  const reading = {
    // A search cancels its own statements when its time budget is used up; this limit ends statements that a crashed
    // process left behind.
    statement_timeout: `${searchTimeoutMs * 2}ms`,
    default_transaction_read_only: 'on',
  };
  const { pools, component } = createPools({
    url,
    admit,
    service,
    logger,
    pools: {
      search: { size: searchMaxConcurrent, settings: { ...SEARCH_SESSION_SETTINGS, ...reading } },
      // The queries for the coverage can wait for the same locks and disks as those of the search: on the shared pool,
      // they would block every route.
      coverage: { size: searchMaxConcurrent, settings: reading },
      // These connections are reserved for cancellations, because a cancellation that waits for a free connection
      // cannot free one.
      cancel: { size: CANCEL_CONNECTIONS },
    },
  });
  const cancel = pools.cancel.pool;
  return {
    component,
    ports: {
      db,
      pools: { work: pools.search.pool, cancel },
      readSessionHeadings: (key) => readSessionHeadings(db, key),
      listAgentIds: (key) => listAgentIds(db, key),
      findSessionsByIdentifier: (key) => findRuntimeSessionsByIdentifier(db, key),
      readCoverage: (key, options) =>
        readCoverageCancellably({ db, pools: { work: pools.coverage.pool, cancel } }, key, options),
    },
  };
}
