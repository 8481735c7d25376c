import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
/** Policy with an expensive condition that is within the limits. */
const DEAR = `
version: "1"
rules:
  - id: pairs
    description: Each word with each
    condition: 'args.words.exists(x, args.words.exists(y, x.contains(y + "!")))'
    action: deny
`;
const WORDS = Array.from({ length: 150 }, (_, index) => `w${index}`);
const OTHERS = 20;

describe('conditions that occupy a process for a long time (LIM-64, PO-5)', () => {
  it('use only the time share of their account: calls of other accounts are completed first', async () => {
    expect((await approvals.apply(DEAR)).status).toBe(201);
    const other = await approvals.people.register();
    let [isOver, dear] = [false, 0];
    const busy = Array.from({ length: 30 }, async () => {
      while (!isOver) {
        const { status, body } = await approvals.check({ arguments: { words: WORDS } });
        expect([status, body.decision]).toEqual([200, 'allow']);
        dear += 1;
      }
    });
    for (let count = 0; count < OTHERS; count += 1) {
      const { body } = await approvals.check({}, { token: other.accessToken });
      expect(body.decision).toBe('allow');
    }
    // Without a fair share per account, each call of the other account would wait for most of the expensive calls.
    expect(dear).toBeLessThan(5 * OTHERS);
    isOver = true;
    await Promise.all(busy);
  });
});
