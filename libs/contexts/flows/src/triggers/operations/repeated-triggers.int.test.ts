import fc from 'fast-check';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import type { FlowRow } from '../../schema.ts';
import { openFlows } from '../../testing/open-flows.ts';

const suite = useOpened(openFlows);
type Move =
  | { readonly kind: 'trigger'; readonly key: string | undefined; readonly place: unknown; readonly body: number }
  /** Ends the oldest active execution. */
  | { readonly kind: 'end' };

const moves = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('trigger' as const),
        key: fc.constantFrom(undefined, undefined, 'key-1', 'key-2'),
        place: fc.constantFrom(undefined, null, 5, '5', 'open', { a: 1, b: 2 }, { b: 2, a: 1 }),
        body: fc.nat(1),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'end' as const }) },
  ),
  { minLength: 4, maxLength: 20 },
);

interface Made {
  readonly index: number;
  /** The dedupe value of the execution; null if it has none. */
  readonly value: string | null;
  isActive: boolean;
}

/** Creates a model of FLOW-26 to FLOW-29, which returns the expected outcome of each trigger. */
function createModel(supersedes: boolean) {
  const made: Made[] = [];
  const keys = new Map<string, { readonly body: string; readonly index: number }>();
  const nameValue = (place: unknown): string | null => {
    if (place === undefined || place === null) return null;
    const isObject = typeof place === 'object';
    return isObject ? JSON.stringify(Object.entries(place).sort()) : JSON.stringify(place);
  };
  return {
    made,
    trigger({ key, place, body }: Extract<Move, { kind: 'trigger' }>, sent: string) {
      const held = key === undefined ? undefined : keys.get(key);
      if (held !== undefined)
        return held.body === sent ? { kind: 'deduplicated', index: held.index } : { kind: 'key_reused' };
      const value = nameValue(place);
      const active = made.find((each) => each.isActive && value !== null && each.value === value);
      const answered = active !== undefined && !supersedes ? active.index : made.length;
      if (active !== undefined && supersedes) active.isActive = false;
      if (answered === made.length) made.push({ index: answered, value, isActive: true });
      if (key !== undefined) keys.set(key, { body: sent, index: answered });
      void body;
      return { kind: active !== undefined && !supersedes ? 'deduplicated' : 'accepted', index: answered };
    },
    end() {
      const oldest = made.find((each) => each.isActive);
      if (oldest !== undefined) oldest.isActive = false;
      return oldest?.index;
    },
  };
}

async function endExecution(id: string): Promise<void> {
  await sql`update flows.execution set status = 'SUCCEEDED', finished_at = now() where id = ${id}`.execute(
    suite().admin,
  );
}

describe('repeated triggers', () => {
  it.each([
    ['join the active execution', false],
    ['supersede the active execution', true],
  ])('%s, and keys return their first execution (FLOW-26 to FLOW-29)', async (_what, supersedes) => {
    await fc.assert(
      fc.asyncProperty(moves, async (history) => {
        const flow: FlowRow = await suite().addFlow({
          webhook_config: { dedupe_path: 'place', supersede_on_update: supersedes },
        });
        const model = createModel(supersedes);
        const ids: string[] = [];
        for (const move of history) {
          if (move.kind === 'end') {
            const ended = model.end();
            if (ended !== undefined) await endExecution(ids[ended] ?? '');
            continue;
          }
          const payload = { body: move.body, ...(move.place === undefined ? {} : { place: move.place }) };
          const expected = model.trigger(move, JSON.stringify(payload));
          const [outcome] = await suite().accept([suite().build(flow, payload, { key: move.key })]);
          expect(outcome?.kind).toBe(expected.kind);
          const id = (outcome as { execution?: { id: string } }).execution?.id;
          if (expected.kind === 'accepted') ids.push(id ?? '');
          if (expected.index !== undefined) expect(id).toBe(ids[expected.index]);
        }
        const active = await sql<{ id: string }>`
          select id from flows.execution where flow_id = ${flow.id} and status in ('PENDING', 'INITIALIZING', 'RUNNING')
        `.execute(suite().admin);
        const expected = model.made.filter(({ isActive }) => isActive).map(({ index }) => ids[index]);
        expect(active.rows.map(({ id }) => id).sort()).toEqual(expected.sort());
      }),
      { numRuns: 20 },
    );
  });

  it('that are sent at once with one key: one is accepted, the others get its execution (FLOW-26)', async () => {
    const flow = await suite().addFlow();
    const send = (n: number) => suite().accept([suite().build(flow, { n }, { key: 'same' })], { waits: true });
    const outcomes = (await Promise.all([1, 1, 1, 1, 2, 2].map(send))).flat();
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(1);
    expect(await suite().listExecutions(flow.id)).toHaveLength(1);
    const answered = new Set(outcomes.flatMap((outcome) => ('execution' in outcome ? [outcome.execution.id] : [])));
    expect(answered.size).toBe(1);
    expect(kinds.filter((kind) => kind === 'key_reused').length).toBeGreaterThanOrEqual(2);
  });
});
