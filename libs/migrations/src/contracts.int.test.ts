import {
  listSystemRolePermissions,
  SEARCH_MODES,
  SESSION_CONTENT_KINDS,
  SESSION_END_REASONS,
  SOURCE_KINDS,
  SYSTEM_ROLES,
} from '@steward/contracts';
import { EXECUTION_STATUSES, FAILURE_CATEGORIES } from '@steward/flows';
import { BUDGET_PERIODS, BUDGET_SCOPES } from '@steward/budgets';
import { MODEL_PROVIDERS, PRICE_SOURCES, USAGE_SOURCES, USAGE_STATUSES } from '@steward/models';
import { GRANT_SUBJECT_TYPES, SAVED_SEARCH_VISIBILITIES } from '@steward/search';
import { useMigrated } from './testing/use-migrated.ts';

/**
 * Lists that exist both in code and in the database: the check constraints have to allow exactly the values that the
 * code uses.
 */
const CHECKED: readonly (readonly [table: string, column: string, values: readonly string[]])[] = [
  ['search.chunk', 'source_kind', SOURCE_KINDS],
  ['gateway.session_content', 'kind', SESSION_CONTENT_KINDS],
  ['search.saved_search', 'mode', SEARCH_MODES],
  ['search.saved_search', 'visibility', SAVED_SEARCH_VISIBILITIES],
  ['search.account_scope_grant', 'subject_type', GRANT_SUBJECT_TYPES],
  ['gateway.runtime_session', 'end_reason', SESSION_END_REASONS],
  ['flows.execution', 'status', EXECUTION_STATUSES],
  ['flows.execution', 'failure_category', FAILURE_CATEGORIES],
  ['budgets.budget', 'scope', BUDGET_SCOPES],
  ['budgets.budget', 'period', BUDGET_PERIODS],
  ['models.ai_model', 'provider', MODEL_PROVIDERS],
  ['models.usage', 'status', USAGE_STATUSES],
  ['models.usage', 'price_source', PRICE_SOURCES],
  ['models.usage', 'usage_source', USAGE_SOURCES],
];

describe('a migrated database and the contracts', () => {
  const migrated = useMigrated();

  /**
   * Returns the values of `column in ('a', 'b')` in the check constraints of a table; `in` is stored as `= any
   * (array[...])`.
   */
  async function readAllowed(table: string, column: string): Promise<string[]> {
    const { rows } = await migrated.admin.query<{ definition: string }>(
      "select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and contype = 'c'",
      [table],
    );
    const list = new RegExp(String.raw`\(${column} = ANY \(ARRAY\[([^\]]*)\]`);
    const found = rows.map(({ definition }) => list.exec(definition)?.[1]).filter((each) => each !== undefined);
    const whole = found.sort((a, b) => b.length - a.length)[0] ?? '';
    return [...whole.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);
  }

  it.each(CHECKED)('%s accepts in %s only the values that the code writes', async (table, column, values) => {
    expect((await readAllowed(table, column)).sort()).toEqual([...values].sort());
  });

  it.each(SYSTEM_ROLES)('%s has the permissions of the contract, after every migration (ACC-21)', async (role) => {
    const { rows } = await migrated.admin.query<{ permissions: string[] }>(
      'select permissions from gateway.role where account_id is null and name = $1',
      [role],
    );
    expect(rows.map(({ permissions }) => [...permissions].sort())).toEqual([
      [...listSystemRolePermissions(role)].sort(),
    ]);
  });

  it('has no system role that the contract does not define', async () => {
    const { rows } = await migrated.admin.query<{ name: string }>(
      'select name from gateway.role where account_id is null',
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...SYSTEM_ROLES].sort());
  });
});
