import { DOCUMENT_BOMBS, isTriedToday, sizeCampaign } from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';
import { useGatewayProcess } from '../../../testing/use-gateway-process.ts';

const people = usePeople({});
const gateway = useGatewayProcess(people, () => ({ ACCOUNT_RATE_PER_MINUTE: '1000000' }));
const MAX_GROWN_MB = 100;
/** Accounts that send documents at once. After 5 s of processor time, an account waits for its share (LIM-74). */
const ACCOUNTS = sizeCampaign({ daily: 2, full: 4 });
/** Documents that each of them sends at once. */
const DOCUMENTS = 2;
/** Number of days within which every document is sent. */
const DAYS = 3;
const KINDS = Object.keys(DOCUMENT_BOMBS).filter((_kind, number) => isTriedToday(number, DAYS));

describe('a document that is far more expensive to validate than to send (LIM-74, LIM-75)', () => {
  const sendAtOnce = (tokens: readonly string[], text: string | undefined): Promise<Response[]> =>
    Promise.all(
      tokens.flatMap((token) =>
        Array.from({ length: DOCUMENTS }, () =>
          gateway.send('POST', '/policies/validate', token, text, 'application/yaml'),
        ),
      ),
    );
  // New accounts are used, because earlier ones have used up the processor time that an account may spend at once.
  const addViewers = (): Promise<string[]> =>
    Promise.all(
      Array.from({ length: ACCOUNTS }, async () => {
        const { accessToken } = await people.register();
        return (await people.add(accessToken, 'viewer')).token;
      }),
    );

  // Warms up the checker: it is loaded with the first document, and checks as many ordinary large documents at once.
  beforeAll(async () => {
    const ordinary = await sendAtOnce(await addViewers(), DOCUMENT_BOMBS['a thousand rules']);
    expect(ordinary.map(({ status }) => status)).toContain(200);
  });

  it.each(KINDS)(
    `does not delay others or exhaust memory if viewers of ${ACCOUNTS} accounts each send it ${DOCUMENTS} times at once: %s`,
    async (kind) => {
      const other = await people.register();
      const viewers = await addViewers();
      const before = gateway.readPeakMb();
      const all = sendAtOnce(viewers, DOCUMENT_BOMBS[kind]);
      await gateway.expectNoWait(other.accessToken, all);
      const grownMb = gateway.readPeakMb() - before;
      const statuses = (await all).map(({ status }) => status);
      for (const status of statuses) expect([200, 422, 429]).toContain(status);
      expect(new Set(statuses)).not.toEqual(new Set([429]));
      expect(grownMb).toBeLessThan(MAX_GROWN_MB);
    },
  );
});
