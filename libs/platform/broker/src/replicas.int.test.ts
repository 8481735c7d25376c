import { limitTime } from '@steward/async';
import { MESSAGES } from '@steward/contracts';
import { StartupError } from '@steward/process';
import { askJetStream, eventually as getEventually, scaleLimit } from '@steward/testing';
import { connectTestBroker, eventually, startCluster, startServer, useTestBrokers } from './testing/test-broker.ts';

useTestBrokers();

const STREAM = MESSAGES['event-emitted'].stream;
const EVENT = {
  account_id: '0198c5a0-0000-7000-8000-000000000001',
  event_id: '0198c5a0-0000-7000-8000-000000000002',
  event_type: 'session.ended',
  generation: 1,
  delivery_count: 1,
};
/** Time limit of a test in milliseconds, long enough for several leader elections of a cluster. */
const TIMEOUT_MS = scaleLimit(400_000);

type Server = Awaited<ReturnType<typeof startCluster>>[number];

interface StreamInfo {
  readonly config: { readonly num_replicas: number };
  readonly cluster: { readonly leader?: string; readonly replicas?: readonly { readonly current: boolean }[] };
}

describe('replicas of the streams', () => {
  it(
    'have the configured number in a cluster, including for existing streams; the loss of one server affects no client',
    async () => {
      const [first, second, third] = (await startCluster(3)) as [Server, Server, Server];
      // A cluster needs some seconds to elect its leader.
      await eventually(async () => (await connectTo(first, undefined)).ensureStreams());
      // A server does not respond until it has found the leader.
      const read = () =>
        limitTime(
          askJetStream<StreamInfo>(second.url, `$JS.API.STREAM.INFO.${STREAM}`),
          5000,
          () => new Error('no answer'),
        );
      await eventually(async () => expect((await read()).config.num_replicas).toBe(1));

      const broker = await getEventually(async () => {
        const connected = await connectTo(second, 3);
        await connected.ensureStreams();
        return connected;
      });
      await eventually(async () => {
        const { config, cluster } = await read();
        expect(config.num_replicas).toBe(3);
        expect(cluster.replicas?.map(({ current }) => current)).toEqual([true, true]);
      });

      let before = 0;
      await eventually(async () => {
        before = (await broker.publish('event-emitted', EVENT)).sequence;
      });
      await third.kill();
      await eventually(async () => {
        const after = await broker.publish('event-emitted', { ...EVENT, generation: 2 });
        expect(after.sequence).toBeGreaterThan(before);
      });
    },
    TIMEOUT_MS,
  );

  it('prevent the start with one line that names the setting if they exceed the number of servers', async () => {
    const { url } = await startServer();
    const { broker } = await connectTestBroker(url, MESSAGES, { replicas: 3 });
    const failure = await broker.ensureStreams().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as StartupError).message).toMatch(
      /^NATS does not store 3 replicas of stream \w+ \(.*\); check NATS_STREAM_REPLICAS/,
    );
  });
});

async function connectTo({ url }: Server, replicas: number | undefined) {
  return (await connectTestBroker(url, MESSAGES, { replicas })).broker;
}
