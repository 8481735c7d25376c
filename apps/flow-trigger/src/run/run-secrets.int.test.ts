import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { transact } from '@steward/database';
import { saveSecret, type FlowFields } from '@steward/flows';
import { startHttpReceiver, useOpened } from '@steward/testing';
import { useWorker } from '../testing/use-worker.ts';

describe('secrets for an agent', () => {
  const worker = useWorker();
  const server = useOpened(startHttpReceiver);

  const saveNamed = (name: string, value: string, accountId = worker().accountId) =>
    transact({ db: worker().database.db, broker: { publishHint: () => undefined } }, (trx) =>
      saveSecret(
        trx,
        { accountId, name, value },
        createSecretBox('a-secret-key-for-tests-only-0123456789', KEY_PURPOSES.flowAgent),
      ),
    );
  const run = async (command: string, fields: Partial<FlowFields> = {}, payload?: Record<string, unknown>) => {
    const flow = await worker().createFlow(command, fields);
    return worker().waitForEnd((await worker().trigger(flow, payload)).id);
  };
  const describeLength = 'printf "%s has %s\\n" "$1" "$(printf %s "$2" | wc -c)"';

  it('have the values that were set, whether passed by variables or by name, and the log shows none of them (FLOW-10, MASK-11)', async () => {
    await saveNamed('DEPLOY_KEY', 'canary-named-"quoted" $HOME');
    const ended = await run('', {
      agent_config: {
        command: `printf '%s|%s' "$PLAIN" "$MIXED" | sha256sum; echo "says $PLAIN and $MIXED"; echo '{"leak":"'"$PLAIN"'"}' > result.json`,
        env: { PLAIN: 'canary-plain', MIXED: 'key={{secret.DEPLOY_KEY}}' },
      },
      setup_commands: [
        `sh -c '${describeLength.replaceAll("'", "'\\''")}' - setup "{{secret.DEPLOY_KEY}}"; echo "setup says {{secret.DEPLOY_KEY}}"`,
      ],
    });
    expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
    const log = await worker().readLog(ended);
    const given = createHash('sha256').update('canary-plain|key=canary-named-"quoted" $HOME').digest('hex');
    expect(log).toContain(given);
    expect(log).toContain('setup has 27');
    expect(log).toContain('setup says [redacted]');
    expect(log).toContain('says [redacted] and [redacted]');
    expect(log).toContain('setup command 1 of 1');
    expect(log + JSON.stringify(ended)).not.toMatch(/canary|secret\.DEPLOY/);
    expect(ended.result).toEqual({ leak: '[redacted]' });
  });

  it('that consist of several lines are hidden line by line', async () => {
    const key = '-----BEGIN KEY-----\ncanary-line-one\ncanary-line-two\n-----END KEY-----';
    const ended = await run('', { agent_config: { command: 'echo "$KEY"', env: { KEY: key } } });
    expect(await worker().readLog(ended)).not.toContain('canary');
  });

  it('are sent to the server of a clone in encoded form, and appear nowhere else (FLOW-10)', async () => {
    await saveNamed('GIT_TOKEN', 'canary/p@ss');
    server().respondWith((request, response) => {
      if (request.headers.authorization === undefined) {
        return void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      }
      response.writeHead(404).end();
    });
    const url = `${server().url.replace('http://', 'http://robot:{{secret.GIT_TOKEN}}@')}/repo.git`;
    const ended = await run('true', { git_clone_config: { repository_url: url } });
    expect(ended.failure_category).toBe('setup_failed');
    const sent = server()
      .requests.map(({ headers }) => headers.authorization)
      .find((header) => header !== undefined);
    expect(Buffer.from(String(sent).slice('Basic '.length), 'base64').toString()).toBe('robot:canary/p@ss');
    expect((await worker().readLog(ended)) + JSON.stringify(ended)).not.toMatch(/canary/);
  });

  it('with an unknown name end the run before anything starts, with an error that contains the name; those of other accounts are unknown (FLOW-10)', async () => {
    await saveNamed('STRANGER', 'canary-stranger', '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b11');
    const ended = await run('echo agent ran', { setup_commands: ['echo "{{secret.STRANGER}}"'] });
    expect([ended.status, ended.failure_category, ended.error_message]).toEqual([
      'FAILED',
      'setup_failed',
      'The flow refers to the secret "STRANGER", which does not exist in its account.',
    ]);
  });

  it('are not part of a prompt: a reference to a secret is rendered as empty and its name is logged (FLOW-10)', async () => {
    await saveNamed('PROMPTED', 'canary-prompted');
    const ended = await run(
      'cat',
      { prompt_template: 'a{{secret.PROMPTED}}b{{trigger_event.payload.x}}' },
      {
        x: '{{secret.PROMPTED}}',
      },
    );
    expect(ended.resolved_input_prompt).toBe('ab{{secret.PROMPTED}}');
    expect(await worker().readLog(ended)).not.toContain('canary');
  });

  it('are returned only to the worker that holds the lease', async () => {
    await saveNamed('LEASED', 'canary-leased');
    const ended = await run('true', { agent_config: { command: 'true', env: { A: 'canary-a' } } });
    const rows = await sql`
        select * from flows.leased_secrets(${ended.id}, gen_random_uuid(), array['LEASED'])
      `.execute(worker().database.db);
    expect(rows.rows).toEqual([]);
  });
});
