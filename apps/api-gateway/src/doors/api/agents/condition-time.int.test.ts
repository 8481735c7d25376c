import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals();
/** Dear, and let through. */
const DEAR = `
version: "1"
rules:
  - id: words
    description: Words
    condition: 'args.lines.exists(x, x.matches("(?i)drop\\\\s+(table|schema)"))'
    action: deny
`;
const LINES = Array.from({ length: 1_000 }, (_, index) => `${index} ${'a'.repeat(100)}`);

describe('conditions that keep a process busy (LIM-64, PO-5)', () => {
  it('are judged in the time of their account: what others ask is answered before', async () => {
    expect((await approvals.apply(DEAR)).status).toBe(201);
    const other = await approvals.people.register();
    const done: string[] = [];
    const dear = Array.from({ length: 40 }, async () => {
      const { status, body } = await approvals.check({ arguments: { lines: LINES } });
      expect([status, body.decision]).toEqual([200, 'allow']);
      done.push('dear');
    });
    for (let count = 0; count < 20; count += 1) {
      const { body } = await approvals.check({}, { token: other.accessToken });
      expect(body.decision).toBe('allow');
    }
    done.push('other');
    await Promise.all(dear);
    expect(done.indexOf('other')).toBeLessThan(30);
  });
});
