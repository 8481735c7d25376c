import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { createIndexOnline } from '@steward/database';
import { ALL_SLICES } from '../migrate-all.ts';
import { judgeSteps, type JudgedStep } from './judge-steps.ts';
import { readReleased, RELEASES } from './released-steps.ts';

/**
 * Returns the statements of a step, which are recorded instead of being sent, so that its effect can be determined
 * without a database to which it has not been applied yet.
 */
async function listStatements(up: (db: Kysely<unknown>) => Promise<void>): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await up(db);
  return statements;
}

describe('the steps after the newest release (PROC-17)', () => {
  it('begin after steps that exist, in every schema of every release', () => {
    for (const [version, released] of Object.entries(RELEASES)) {
      const missing = Object.entries(released).filter(([schema, name]) => {
        const slice = ALL_SLICES.find((one) => one.schema === schema);
        return slice?.migrations[name] === undefined;
      });
      expect([version, missing]).toEqual([version, []]);
    }
  });

  it('may create an index of an existing table online', async () => {
    const index = { schema: 'webhooks', name: 'event_at', definition: 'on webhooks.event (occurred_at)' };
    const statements = await listStatements((db) => createIndexOnline(db, index));
    expect(statements.join()).toContain('create  index concurrently');
    const step: JudgedStep = { schema: 'webhooks', name: '0020_index_event', step: { isOnline: true }, statements };
    expect(judgeSteps([step], readReleased())).toEqual([]);
    expect(judgeSteps([{ ...step, step: {} }], readReleased())).toEqual([
      expect.stringMatching(/make the step online/),
    ]);
  });

  it('can be applied while apps of the previous version run', async () => {
    const released = readReleased();
    const steps: JudgedStep[] = [];
    for (const { schema, migrations } of ALL_SLICES) {
      for (const [name, step] of Object.entries(migrations).sort(([one], [other]) => one.localeCompare(other))) {
        if (name <= (released[schema] ?? '')) continue;
        steps.push({ schema, name, step, statements: await listStatements((db) => step.up(db)) });
      }
    }
    expect(judgeSteps(steps, released)).toEqual([]);
  });
});
