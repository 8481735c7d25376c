import { transact } from '@steward/database';
import { createSecretBox, KEY_PURPOSES, newId } from '@steward/crypto';
import { saveSecret } from '@steward/flows';
import { eventually } from '@steward/testing';
import { useWorker } from '../testing/use-worker.ts';

/**
 * If the machine stalls between the claim of an execution and its run, the lease may expire; these tests force that.
 */
describe('a lease that is no longer valid when its run begins', () => {
  const worker = useWorker({ FLOW_RECONCILE_SECONDS: '600', FLOW_CONCURRENCY: '1' });

  /**
   * Changes each execution of the flow when it is claimed. The trigger is deferred, so that the claim itself is made
   * under a valid lease.
   */
  const changeClaimed = async (flowName: string, change: string): Promise<void> => {
    const { pool } = worker().database;
    await pool.query(`
      create function flows.change_${flowName}() returns trigger language plpgsql security definer as
      $$ begin update flows.execution set ${change} where id = new.id; return null; end $$`);
    await pool.query(`
      create constraint trigger change_${flowName} after update on flows.execution deferrable initially deferred for each row
      when (old.status = 'PENDING' and new.status = 'INITIALIZING' and new.flow_name = '${flowName}')
      execute function flows.change_${flowName}()`);
  };

  it('becomes valid again if no worker took it over: the run gets its flow, its secrets and its files', async () => {
    await changeClaimed('late', `lease_until = now() - interval '1 second'`);
    await transact({ db: worker().database.db, broker: { publishHint: () => undefined } }, (trx) =>
      saveSecret(
        trx,
        { accountId: worker().accountId, name: 'NAMED', value: 'named-value' },
        createSecretBox('a-secret-key-for-tests-only-0123456789', KEY_PURPOSES.flowAgent),
      ),
    );
    const flow = await worker().createFlow('', {
      name: 'late',
      agent_config: {
        command: '[ "$OWN" = own-value ] && [ "$OTHER" = named-value ] && [ "$(cat note.txt)" = note ]',
        env: { OWN: 'own-value', OTHER: '{{secret.NAMED}}' },
      },
    });
    const files = [{ path: 'note.txt', content_base64: Buffer.from('note').toString('base64') }];
    const ended = await worker().waitForEnd((await worker().trigger(flow, { workspace_files: files })).id);
    expect([ended.status, ended.failure_category, ended.error_message]).toEqual(['SUCCEEDED', null, null]);
  });

  it('ends nothing if another worker has taken it over, and leaves the result to that worker', async () => {
    await changeClaimed('taken', 'lease_token = gen_random_uuid()');
    const taken = await worker().trigger(await worker().createFlow('echo agent ran', { name: 'taken' }));
    // Waits until the execution has the slot, because two accounts take turns.
    await eventually(async () => (await worker().find(taken.id)).status === 'INITIALIZING');
    const next = await worker().trigger(await worker().createFlow('true', {}, newId()));
    // The only slot of the worker is free again.
    expect((await worker().waitForEnd(next.id)).status).toBe('SUCCEEDED');
    const left = await worker().find(taken.id);
    expect([left.status, left.failure_category]).toEqual(['INITIALIZING', null]);
    expect(await worker().readLog(left)).toBe('');
  });
});
