import { seedCampaign, sizeCampaign } from '@steward/testing';
import fc from 'fast-check';
import { openTestIdentity, type TestIdentity } from '../../testing/open-identity.ts';
import { openKnownCallers } from '../../testing/open-known-callers.ts';
import { createAwaitCallers, type AwaitCallers } from './await-callers.ts';

const PROCESSES = 3;
type Process = ReturnType<typeof openKnownCallers>;

let identity: TestIdentity;
let awaitCallers: AwaitCallers;
beforeAll(async () => {
  identity = await openTestIdentity();
  awaitCallers = createAwaitCallers(identity.db);
});
afterAll(() => identity.close());

const by = fc.nat(PROCESSES - 1);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('ask' as const), by, count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('change' as const, 'confirm' as const), by }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('look' as const, 'know' as const), by }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('freeze' as const, 'thaw' as const, 'slow reads' as const, 'end reads' as const),
      by,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('lose' as const, 'suspend' as const, 'kill' as const), by }),
  },
);

/** Most schedules contain waits for leases that end. */
const CAMPAIGN_MS = sizeCampaign({ daily: 300_000, full: 1_800_000 });

describe('callers of three processes', () => {
  it(
    'are never older than the last confirmed change, in any order of requests, changes, stops, losses and deaths',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          const { key, id } = await identity.addKey(await identity.addAccount());
          // The first use of a key is recorded, and that read is for its own request only.
          await identity.query(`update gateway.api_key set name = '0', last_used_at = now() where id = $1`, [id]);
          const processes = Array.from({ length: PROCESSES }, () => openKnownCallers(identity));
          const asked = new Map<Process, Promise<{ readonly least: number; readonly got: number }>[]>();
          const changing: Promise<void>[] = [];
          let confirmed = 0;
          const askOne = async (process: Process) => {
            const least = confirmed;
            const got = Number((await process.ask(key))?.apiKeyName);
            return { least, got };
          };
          const ask = (process: Process) => {
            const answer = askOne(process);
            asked.set(process, [...(asked.get(process) ?? []), answer]);
            return answer;
          };
          const change = async () => {
            const [row] = await identity.query<{ name: string }>(
              'update gateway.api_key set name = (name::integer + 1)::text where id = $1 returning name',
              [id],
            );
            await awaitCallers();
            confirmed = Math.max(confirmed, Number(row?.name));
          };
          for (const one of steps) {
            const process = processes[one.by] as Process;
            if (one.kind === 'ask') for (let n = 0; n < one.count; n += 1) void ask(process);
            else if (one.kind === 'know') await Promise.race([ask(process), identity.query('select 1')]);
            else if (one.kind === 'change') changing.push(change());
            else if (one.kind === 'confirm') await Promise.all(changing);
            else if (one.kind === 'look') process.look();
            else if (one.kind === 'freeze') process.freeze();
            else if (one.kind === 'thaw') process.thaw();
            else if (one.kind === 'slow reads') process.slowReads();
            else if (one.kind === 'end reads') process.endReads();
            else if (one.kind === 'lose') process.loseConnection();
            else if (one.kind === 'suspend') process.suspend(5000);
            else {
              process.endReads();
              await Promise.all(asked.get(process) ?? []);
              await process.kill();
              processes[one.by] = openKnownCallers(identity);
            }
          }
          await Promise.all(changing);
          for (const process of processes) {
            void ask(process);
            process.endReads();
          }
          const all = await Promise.all([...asked.values()].flat());
          await Promise.all(processes.map((process) => process.stop()));
          expect(all.filter(({ least, got }) => !(got >= least))).toEqual([]);
        }),
        { numRuns: sizeCampaign({ daily: 10, full: 300 }), seed: seedCampaign(), endOnFailure: true },
      );
    },
    CAMPAIGN_MS,
  );
});
