import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startServer, useTestBrokers, type TestServer } from '../testing/test-broker.ts';
import { createNatsStreams } from './nats-streams.ts';
import type { StreamPlan } from './nats-types.ts';
import { readAddress } from './read-address.ts';

useTestBrokers();

let server: TestServer;
let connection: NatsConnection;
let jsm: JetStreamManager;
beforeAll(async () => {
  server = await startServer();
  connection = await connect(readAddress(server.url));
  jsm = await jetstreamManager(connection);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

describe('creating a stream', () => {
  it('does not fail if another process creates it at the same time', async () => {
    // The server checks the name first, then the subjects. If another process creates the stream in between, the server
    // reports the same error as for a free name with used subjects.
    const late = createNatsStreams(withStreams(jsm, (config) => ({ ...config, name: `${config.name}_UNSEEN` })));
    const plan = describeStream('RACED');
    await expect(createNatsStreams(jsm).createStream(plan)).resolves.toBe('created');
    await expect(late.createStream(plan)).resolves.toBe('exists');
  });

  it('is refused for subjects of another stream', async () => {
    const streams = createNatsStreams(jsm);
    await streams.createStream(describeStream('HOLDER'));
    await expect(
      streams.createStream({ ...describeStream('CLAIMER'), subjects: describeStream('HOLDER').subjects }),
    ).rejects.toThrow(/subjects overlap/);
  });
});

/** A stream manager that changes the configuration of every new stream before it is sent. */
function withStreams(
  manager: JetStreamManager,
  change: (config: { name: string }) => { name: string },
): JetStreamManager {
  const { streams } = manager;
  const add: typeof streams.add = (config) => streams.add(change(config));
  return Object.assign(Object.create(manager) as JetStreamManager, {
    streams: Object.assign(Object.create(streams) as typeof streams, { add }),
  });
}

function describeStream(name: string): StreamPlan {
  return {
    name,
    subjects: [`raced.${name}`],
    retention: 'work_queue',
    whenFull: 'refuse_new',
    maxAgeSeconds: 60,
    maxBytes: 1_000_000,
    duplicateWindowSeconds: 60,
    replicas: 1,
  };
}
