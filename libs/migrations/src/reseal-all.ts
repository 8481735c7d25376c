import pg from 'pg';
import { createSecretBox } from '@steward/crypto';
import type { SealedColumn } from '@steward/database';
import { approvalsSealedColumns } from '@steward/approvals';
import { flowsSealedColumns } from '@steward/flows';
import { modelsSealedColumns } from '@steward/models';
import { searchSealedColumns } from '@steward/search';
import { sessionsSealedColumns } from '@steward/sessions';
import { toolServersSealedColumns } from '@steward/tool-servers';
import { trackersSealedColumns } from '@steward/trackers';
import { webhooksSealedColumns } from '@steward/webhooks';
import { resealColumn, type ResealReport } from './reseal-column.ts';

export type { ResealReport } from './reseal-column.ts';

/** All columns that contain sealed values. A context that seals further values adds its list here. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...webhooksSealedColumns,
  ...flowsSealedColumns,
  ...searchSealedColumns,
  ...modelsSealedColumns,
  ...toolServersSealedColumns,
  ...trackersSealedColumns,
  ...approvalsSealedColumns,
  ...sessionsSealedColumns,
];

export interface ResealOptions {
  /** URL of a role that may read and change every table. */
  readonly databaseUrl: string;
  /** The current SECRET_KEY, followed by the earlier ones with which values may still be sealed. */
  readonly secretKeys: readonly [string, ...string[]];
  /** True to only count values, without changing anything. */
  readonly dryRun: boolean;
  readonly log: (line: string) => void;
  readonly batchSize?: number;
}

const BATCH_SIZE = 200;

/**
 * Re-encrypts with the current key all values that were sealed with an earlier one. Values are read in batches, and
 * each change is committed separately. The function can be interrupted and repeated at any time, and can run in
 * parallel with apps and with other calls of the function.
 */
export async function resealAll(options: ResealOptions): Promise<readonly ResealReport[]> {
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: 'steward-rotate-key' });
  await client.connect();
  try {
    const reports: ResealReport[] = [];
    for (const column of SEALED_COLUMNS) {
      const box = createSecretBox(options.secretKeys, column.purpose);
      reports.push(await resealColumn(client, column, { batchSize: BATCH_SIZE, ...options, box }));
    }
    return reports;
  } finally {
    await client.end();
  }
}
