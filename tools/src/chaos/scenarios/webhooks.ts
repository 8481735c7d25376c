import { createLedger } from '../webhooks/ledger.ts';
import { createAccount, produce } from '../webhooks/producer.ts';
import { startReceiver } from '../webhooks/start-receiver.ts';
import { drain, startLoad, type Scenario } from './scenario.ts';

const PRODUCERS = 2;

/** Ends sessions, whose events are sent to a receiver. */
export const webhooksScenario: Scenario = {
  name: 'webhooks',
  apps: ['webhook-dispatcher', 'api-gateway'],
  async start({ suite }) {
    const ledger = createLedger();
    const receiver = await startReceiver(ledger);
    const { token, secret } = await createAccount(suite.url, receiver.urlFor(0));
    receiver.trust(0, secret);
    const load = startLoad(PRODUCERS, (worker, signals) =>
      produce({ baseUrl: suite.url, token, name: `producer-${worker}` }, ledger, signals),
    );
    return {
      stop: () => load.stop(),
      async count() {
        await drain(() => ledger.readMissing().length === 0);
        const summary = ledger.summarize();
        await receiver.close();
        return {
          done: summary.emitted,
          broken: {
            'lost events': summary.lost,
            'events under two ids': summary.splitIds,
            'events that could not be verified': receiver.countRefused(),
          },
          noted: { 'events delivered again': summary.duplicates },
        };
      },
    };
  },
};
