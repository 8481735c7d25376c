import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { installPackages } from '../../src/packages/install-packages.ts';
import { describeVector } from './corpus.ts';

/** Part of LanceDB that is used; its types are not installed with the workspace. */
interface Lance {
  connect(directory: string): Promise<{
    tableNames(): Promise<string[]>;
    openTable(name: string): Promise<LanceTable>;
    createTable(name: string, rows: readonly object[]): Promise<LanceTable>;
  }>;
  readonly Index: {
    hnswSq(options: object): unknown;
    bitmap(): unknown;
    btree(): unknown;
  };
}

interface LanceTable {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options?: { readonly config: unknown }): Promise<void>;
  vectorSearch(vector: Float32Array): LanceQuery;
}

interface LanceQuery {
  distanceType(name: 'cosine'): LanceQuery;
  where(condition: string): LanceQuery;
  select(columns: readonly string[]): LanceQuery;
  limit(rows: number): LanceQuery;
  ef(candidates: number): LanceQuery;
  refineFactor(factor: number): LanceQuery;
  toArray(): Promise<{ readonly id: string }[]>;
}

const PEER = resolve(import.meta.dirname, 'peer/package.json');
const ROWS_PER_ADD = 10_000;
/** Minimum number of rows for an index: LanceDB's guide recommends a full scan for fewer than some thousand rows. */
const LEAST_INDEXED = 10_000;
/**
 * Number of candidates that our index reads for short lists; four times as many are compared again with the exact
 * vectors.
 */
const CANDIDATES = 100;
const REFINED = 4;
const BITMAPS = ['source_kind', 'role', 'provider_name', 'runtime_principal_id'];
const BTREES = ['session_id', 'occurred_at'];

/**
 * Opens LanceDB in this process: a table for each account, an HNSW index with 8-bit vectors, and an index on each
 * column that filters use.
 */
export async function openLance(directory: string) {
  installPackages('tools/bench/vectors/peer');
  const lance = createRequire(PEER)('@lancedb/lancedb') as Lance;
  const database = await lance.connect(directory);
  return {
    async open(name: string, vectors: Float32Array, width: number) {
      const known = await database.tableNames();
      const table = known.includes(name) ? await database.openTable(name) : await load(name, vectors, width);
      const count = vectors.length / width;
      return async (vector: Float32Array, where: string | undefined, limit: number): Promise<string[]> => {
        const start = table.vectorSearch(vector).distanceType('cosine').select(['id', '_distance']).limit(limit);
        const tuned =
          count < LEAST_INDEXED ? start : start.ef(Math.max(CANDIDATES, REFINED * limit)).refineFactor(REFINED);
        return (await (where === undefined ? tuned : tuned.where(where)).toArray()).map(({ id }) => id);
      };
    },
  };

  async function load(name: string, vectors: Float32Array, width: number): Promise<LanceTable> {
    const count = vectors.length / width;
    let table: LanceTable | undefined;
    for (let from = 0; from < count; from += ROWS_PER_ADD) {
      const rows = Array.from({ length: Math.min(ROWS_PER_ADD, count - from) }, (_, offset) => {
        const row = describeVector(from + offset, count);
        return {
          id: row.chunkId,
          session_id: row.sessionId,
          occurred_at: row.occurredAt.getTime(),
          source_kind: row.sourceKind,
          role: row.role,
          provider_name: row.providerName,
          runtime_principal_id: row.runtimePrincipalId,
          vector: Array.from(vectors.subarray((from + offset) * width, (from + offset + 1) * width)),
        };
      });
      if (table === undefined) table = await database.createTable(name, rows);
      else await table.add(rows);
    }
    if (table === undefined) throw new Error(`nothing to load into ${name}`);
    if (count < LEAST_INDEXED) return table;
    await table.createIndex('vector', { config: lance.Index.hnswSq({ distanceType: 'cosine' }) });
    for (const column of BITMAPS) await table.createIndex(column, { config: lance.Index.bitmap() });
    for (const column of BTREES) await table.createIndex(column, { config: lance.Index.btree() });
    return table;
  }
}
