import type { AnyDatabase, CancellablePools, HintPublisher } from '@steward/database';
import type { Clock, Logger, Metrics, SecretBox } from '@steward/runtime';
import type { Pool } from 'pg';
import type { GatewaySettings } from './config.ts';
import type { AuditQueue } from './routes/session-search/audit-queue.ts';
import type { TriggerQueue } from './routes/flow-webhooks/trigger-queue.ts';

/** What the routes are built from. A route takes only the keys it uses: `Pick<GatewayDeps, 'db' | 'clock'>`. */
export interface GatewayDeps {
  readonly db: AnyDatabase;
  /** For the hot paths that talk to the driver directly. */
  readonly pool: Pool;
  /** Connections of their own for searches: a slow one holds up no other request. */
  readonly searchPools: CancellablePools;
  /** For what a search tells of its corpus: apart from other requests too, and ended by the database past the time budget. */
  readonly coverageDb: AnyDatabase;
  /** Drained by the process that made it, after the last request. */
  readonly searchAudits: AuditQueue;
  readonly broker: HintPublisher;
  /** Drained by the process that made it, after the last request. */
  readonly triggerQueue: TriggerQueue;
  readonly settings: GatewaySettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Opens and seals webhook and flow secrets. */
  readonly secretBoxes: { readonly webhook: SecretBox; readonly flow: SecretBox };
}
