import type pg from 'pg';
import type { SentStatement } from './watch-statements.ts';

/** A node of a query plan in the output of `explain (format json, verbose)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [field: string]: unknown;
}

const OWN_CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'TID Cond'];
const JOIN_CONDITIONS = ['Hash Cond', 'Merge Cond', 'Join Filter'];

/** Reads the names of tables that belong to accounts. */
export async function listShardedTables(admin: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await admin.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_attribute a
     join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where a.attname = 'account_id' and not a.attisdropped and c.relkind in ('r', 'p')`,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Returns the tables that a statement reads without the account among the conditions of the scan, or of a join above
 * it: in a sharded database their rows would be on another shard.
 */
export async function findUnsharded(
  admin: pg.Pool,
  tables: ReadonlySet<string>,
  { text, values }: SentStatement,
): Promise<string[]> {
  const { rows } = await admin.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `explain (format json, verbose) ${text}`,
    [...values],
  );
  const found = new Set<string>();
  const walk = (node: PlanNode, above: string): void => {
    const table = `${node.Schema}.${node['Relation Name']}`;
    const conditions = above + readConditions(node, JOIN_CONDITIONS);
    const isScan = node['Relation Name'] !== undefined && node['Node Type'] !== 'ModifyTable';
    if (isScan && tables.has(table) && !namesAccount(node, conditions)) found.add(table);
    for (const child of node.Plans ?? []) walk(child, conditions);
  };
  for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) walk(Plan, '');
  return [...found].sort();
}

/**
 * Returns whether a scan, or a join above it, has a condition on the account. The condition of a bitmap heap scan is in
 * the scan of its index. A join names a partitioned table, whose partitions have its alias with a number.
 */
function namesAccount(node: PlanNode, joined: string): boolean {
  const own = readConditions(node, OWN_CONDITIONS);
  const below = (node.Plans ?? []).map((child) => readConditions(child, OWN_CONDITIONS)).join(' ');
  const aliases = [node.Alias, node.Alias?.replace(/_\d+$/, '')];
  return /\baccount_id\b/.test(own + below) || aliases.some((alias) => joined.includes(`${alias}.account_id`));
}

function readConditions(node: PlanNode, names: readonly string[]): string {
  return names
    .map((name) => node[name])
    .filter((value) => typeof value === 'string')
    .join(' ');
}
