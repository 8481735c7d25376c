import { DOCUMENT_BOMBS } from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';
import { useGatewayProcess } from '../../../testing/use-gateway-process.ts';

const people = usePeople();
const gateway = useGatewayProcess(people, () => ({ ACCOUNT_RATE_PER_MINUTE: '1000000' }));
const MAX_GROWN_MB = 100;
const MOST_MS = 500;
const AT_ONCE = 8;

describe('a document that is far more expensive to check than to send (LIM-74, LIM-75)', () => {
  it.each(Object.keys(DOCUMENT_BOMBS))(
    'delays nobody else and fills no memory, sent eight times at once by a viewer: %s',
    async (kind) => {
      const [account, other] = [await people.register(), await people.register()];
      const viewer = await people.add(account.accessToken, 'viewer');
      const validate = (text = DOCUMENT_BOMBS[kind]) =>
        gateway.send('POST', '/policies/validate', viewer.token, text, 'application/yaml');
      // The checker is loaded with the first document, and has checked as many ordinary large ones at once.
      const ordinary = await Promise.all(
        Array.from({ length: AT_ONCE }, () => validate(DOCUMENT_BOMBS['a thousand rules'])),
      );
      expect(ordinary.map(({ status }) => status)).toContain(200);
      // On a machine busy with something else, every request takes longer.
      const usualMs = await gateway.findP99Ms(other.accessToken, () => true);
      const before = gateway.readPeakMb();
      let isOver = false;
      const all = Promise.all(Array.from({ length: AT_ONCE }, () => validate())).finally(() => (isOver = true));
      const p99Ms = await gateway.findP99Ms(other.accessToken, () => isOver);
      const grownMb = gateway.readPeakMb() - before;
      for (const { status } of await all) expect([200, 422, 429]).toContain(status);
      expect(grownMb).toBeLessThan(MAX_GROWN_MB);
      expect(p99Ms).toBeLessThan(Math.max(MOST_MS, 3 * usualMs));
    },
  );
});
