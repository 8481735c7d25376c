import { connectClient } from '../../servers/connect-client.ts';
import { portOf, type Place } from '../place/start-place.ts';
import type { Fault } from './fault.ts';
import { pause, repeat, waitFor } from './pause.ts';

export const restartPostgresFault: Fault = {
  name: 'restart Postgres',
  inject: ({ place, random, ending, say }) =>
    repeat(
      ending,
      () => random.between(1, 4),
      async () => {
        say('restart Postgres');
        await place.postgres.primary.restart();
      },
    ),
};

export const failOverFault: Fault = {
  name: 'fail over to the standby',
  async inject({ place, random, ending, say }) {
    await pause(random.between(1, 4));
    say('kill -9 the primary; the standby takes over');
    await place.postgres.failOver();
    leadToPrimary(place);
    await place.postgres.addStandby();
    say('there is a standby again');
    await waitFor(ending);
    return 1;
  },
};

/** Directs new connections to the new primary and closes the existing ones, whose server no longer exists. */
function leadToPrimary({ postgres, databaseProxy }: Place): void {
  databaseProxy.leadTo([portOf(postgres.primary.url)]);
  databaseProxy.cut();
}

export const loseNatsServerFault: Fault = {
  name: 'lose one of three NATS servers',
  inject: ({ place, random, ending, say }) => {
    const order = random.shuffle([0, 1, 2]);
    return repeat(
      ending,
      () => random.between(1, 3),
      async (turn) => {
        const index = order[turn % order.length] as number;
        say(`kill -9 NATS server ${index + 1}, and delete its data`);
        await place.nats.loseServer(index);
        await pause(random.between(1, 4));
        await place.nats.servers[index]?.restart();
      },
    );
  },
};

export const loseNatsDataFault: Fault = {
  name: 'lose all data of NATS',
  async inject({ place, random, ending, say }) {
    await pause(random.between(1, 4));
    say('kill -9 all NATS servers, and delete their data');
    const { servers } = place.nats;
    await Promise.all(servers.map((_server, index) => place.nats.loseServer(index)));
    await pause(random.between(0.5, 3));
    await Promise.all(servers.map((server) => server.restart()));
    await waitFor(ending);
    return 1;
  },
};

export const fullDiskFault: Fault = {
  name: 'full disk',
  async inject(context) {
    const { place, random, ending, seconds, say } = context;
    const { postgres, nats, disks } = place;
    const databases = [postgres.primary.pid, postgres.standby.pid].filter((pid) => pid !== undefined);
    const brokers = nats.servers.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
    await pause(random.between(0.5, 1.5));
    try {
      await Promise.all([disks.primary.fill(databases), disks.standby.fill(databases), disks.nats.fill(brokers)]);
      say('the disks of Postgres and NATS are full');
      await pause(random.between(0, seconds / 2), ending);
      // Before the switch, the current segment of the log still has space.
      say('Postgres needs space for its log');
      await switchSegment(postgres.primary.url);
      await waitFor(ending);
    } finally {
      for (const disk of [disks.primary, disks.standby]) await disk.free(databases);
      await disks.nats.free(brokers);
      say('the disks have space again; their servers are restarted');
      await postgres.primary.restart();
      // Its copy of the log may end at any position, and every commit waits for the standby.
      await postgres.replaceStandby();
      await Promise.all(nats.servers.map((server) => server.restart()));
    }
    return 1;
  },
};

/** Switches to a new segment of the log. The server may stop in the meantime. */
async function switchSegment(url: string): Promise<void> {
  try {
    const client = await connectClient(url);
    client.on('error', () => undefined);
    await client.query('select pg_switch_wal()').finally(() => client.end());
  } catch {
    // The fault has stopped the server, which is intended.
  }
}
