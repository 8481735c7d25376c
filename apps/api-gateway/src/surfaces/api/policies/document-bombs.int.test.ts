import { DOCUMENT_BOMBS, isTriedToday, sizeCampaign } from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';
import { useGatewayProcess } from '../../../testing/use-gateway-process.ts';

const people = usePeople({});
const gateway = useGatewayProcess(people, () => ({ ACCOUNT_RATE_PER_MINUTE: '1000000' }));
const MAX_GROWN_MB = 100;
const AT_ONCE = sizeCampaign({ daily: 4, full: 8 });
/** Number of days within which every document is sent. */
const DAYS = 3;
const KINDS = Object.keys(DOCUMENT_BOMBS).filter((_kind, number) => isTriedToday(number, DAYS));

describe('a document that is far more expensive to validate than to send (LIM-74, LIM-75)', () => {
  const sendAtOnce = (token: string, text: string | undefined): Promise<Response[]> =>
    Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        gateway.send('POST', '/policies/validate', token, text, 'application/yaml'),
      ),
    );

  // Warms up the checker: it is loaded with the first document, and checks as many ordinary large documents at once.
  beforeAll(async () => {
    const { accessToken } = await people.register();
    const ordinary = await sendAtOnce(accessToken, DOCUMENT_BOMBS['a thousand rules']);
    expect(ordinary.map(({ status }) => status)).toContain(200);
  });

  it.each(KINDS)(
    `does not delay others or exhaust memory if sent ${AT_ONCE} times at once by a viewer: %s`,
    async (kind) => {
      // New accounts are used, because the earlier ones have used up the budget that an account may spend at once.
      const [account, other] = [await people.register(), await people.register()];
      const viewer = await people.add(account.accessToken, 'viewer');
      const before = gateway.readPeakMb();
      const all = sendAtOnce(viewer.token, DOCUMENT_BOMBS[kind]);
      await gateway.expectNoWait(other.accessToken, all);
      const grownMb = gateway.readPeakMb() - before;
      for (const { status } of await all) expect([200, 422, 429]).toContain(status);
      expect(grownMb).toBeLessThan(MAX_GROWN_MB);
    },
  );
});
