import { systemClock } from '@steward/async';
import { withFakeTimers } from '@steward/async/testing';
import { beginTrace } from '@steward/crypto';
import { APP_ROLES, type Database } from '@steward/database';
import { connectTestDatabase } from '@steward/database/testing';
import { createLogger } from '@steward/process';
import { eventually } from '@steward/testing';
import { useNotes } from '../../../../testing/note-tests.ts';
import { createNoteHandOver } from '@steward/sessions';

const { addAgent, countSent, gateway, readEvents, readNote, send, turn, waitForState } = useNotes({});
const { query } = gateway.people;
const RENEW_MS = 20_000;

describe('a note whose delivery is being recorded (SESS-32)', () => {
  it('is delivered even if the database is briefly unavailable', async () => {
    const { id: agentId, key } = await addAgent();
    expect(await turn(key)).toBe(200);
    const { id } = await send(agentId, 'Whatever happens.');
    await failDeliveries(2);
    expect(await turn(key)).toBe(200);
    await waitForState(id, 'delivered');
    expect(await readEvents('agent.note_delivered', id)).toHaveLength(1);
    expect([await turn(key), countSent('Whatever happens.')]).toEqual([200, 1]);
  });

  it('is held until the delivery is recorded, during a long outage', async () => {
    const url = gateway.people.gateway().database.urlForRole(APP_ROLES.apiGateway);
    const database = connectTestDatabase(url, { poolSize: 2 });
    const { id: agentId } = await addAgent();
    const { id } = await send(agentId, 'In good time.');
    const handOver = openHandOver(database);
    try {
      await withFakeTimers(['setInterval'], async (clock) => {
        const held = await handOver.take({
          ...{ accountId: gateway.accountId(), agentId, sessionId: undefined, executionId: undefined },
          takesAllSessions: false,
        });
        const stuck = Promise.withResolvers<null>();
        const delivered = held!.deliver('gateway', beginTrace(), () => stuck.promise);
        await query(`update gateway.operator_note set claimed_until = now() + interval '25 seconds' where id = $1`, [
          id,
        ]);
        expect(clock.countTimers()).toBe(1);
        clock.tick(RENEW_MS);
        await eventually(async () => {
          const [row] = await query(
            `select claimed_until > now() + interval '30 seconds' as renewed from gateway.operator_note where id = $1`,
            [id],
          );
          return row?.['renewed'] === true;
        });
        stuck.resolve(null);
        await delivered;
        expect((await readNote(id)).state).toBe('delivered');
        expect(clock.countTimers()).toBe(0);
      });
    } finally {
      await database.close();
    }
  });
});

function openHandOver({ db }: Database) {
  return createNoteHandOver({
    db,
    broker: { publishHint: () => undefined },
    clock: systemClock,
    logger: createLogger({ service: 'test', level: 'error', pretty: false }),
    options: { indexEnabled: true, captureContent: true, maxPendingPerAccount: 100 },
  });
}

/**
 * Makes the next deliveries fail, as if the database was shut down during each. They are counted with a sequence,
 * because it is not rolled back.
 */
async function failDeliveries(count: number): Promise<void> {
  await query('create sequence gateway.failed_delivery');
  await query(`
    create function gateway.fail_delivery() returns trigger language plpgsql security definer as $$ begin
      if nextval('gateway.failed_delivery') <= ${count} then
        raise exception 'terminating connection' using errcode = '57P01';
      end if;
      return new;
    end $$`);
  await query(`
    create trigger fail_delivery before update on gateway.operator_note
    for each row when (new.delivered_at is not null) execute function gateway.fail_delivery()`);
}
