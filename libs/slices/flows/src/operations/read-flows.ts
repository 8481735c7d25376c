import type { AnyDatabase } from '@steward/database';
import type { FlowRow } from '../schema.ts';
import * as store from '../store/flow.store.ts';

export function findFlow(db: AnyDatabase, accountId: string, flowId: string): Promise<FlowRow | undefined> {
  return store.findFlow(db, accountId, flowId);
}

/** Newest first, one row more than `limit` when there is a further page. */
export function listFlows(
  db: AnyDatabase,
  filter: { readonly accountId: string; readonly beforeId?: string | undefined; readonly limit: number },
): Promise<FlowRow[]> {
  return store.listFlows(db, filter);
}

/** What a worker needs to run an execution of the flow; undefined when the flow is gone. */
export { findRunnableFlow } from '../store/flow.store.ts';
