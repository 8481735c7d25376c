import { MESSAGES } from '@steward/contracts';
import { StartupError } from '@steward/process';
import { mergeStream, planStreams } from './ensure-streams.ts';

const plans = planStreams(MESSAGES);
const [plan] = plans;
if (plan === undefined) throw new Error('the catalogue is empty');

describe('streams of the catalog', () => {
  it('every subject belongs to exactly one stream, as JetStream requires', () => {
    const subjects = plans.flatMap((stream) => stream.subjects);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(subjects).toEqual(expect.arrayContaining(Object.values(MESSAGES).map((contract) => contract.subject)));
  });

  it('all streams together reserve at most 1 GiB, so that they fit on a small machine', () => {
    expect(plans.reduce((sum, stream) => sum + stream.maxBytes, 0)).toBeLessThanOrEqual(1024 ** 3);
  });

  it('an older release never removes a subject of a newer one', () => {
    const existing = { ...plan, subjects: [...plan.subjects, 'steward.search.newer.v2'] };
    expect(mergeStream(existing, plan, undefined).subjects).toEqual(existing.subjects);
  });

  it('a number of replicas set by an operator is retained unless this process is configured otherwise', () => {
    expect(mergeStream({ ...plan, replicas: 3 }, plan, undefined).replicas).toBe(3);
    expect(mergeStream({ ...plan, replicas: 3 }, { ...plan, replicas: 5 }, 5).replicas).toBe(5);
  });

  it('an unrelated stream of the same name prevents the start, and the error names it', () => {
    expect(() => mergeStream({ ...plan, retention: 'limits' }, plan, undefined)).toThrow(StartupError);
    expect(() => mergeStream({ ...plan, retention: 'limits' }, plan, undefined)).toThrow(plan.name);
  });
});
