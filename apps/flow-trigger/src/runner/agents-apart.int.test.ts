import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ExecutionRow, FlowFields } from '@steward/flows';
import { eventually, findProcesses } from '@steward/testing';
import { startTestWorker, type TestWorker } from '../testing/start-worker.ts';

const AUTHORITIES = '# An Authority\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\ncanary-of-a-secret-file\n-----END PRIVATE KEY-----\n';

/**
 * Excluded folders, because a search of the whole machine takes minutes: programs and packages, to which neither runs
 * nor workers write.
 */
const NO_RUN_WRITES_THERE = '\\( -path /usr -o -path /proc -o -name node_modules -o -name .git \\) -prune';

/** Attacks of a malicious agent. Each attack logs its progress. */
describe('an agent', () => {
  let worker: TestWorker;
  let secrets: string;
  beforeAll(async () => {
    // The folder is not a temporary one, because an agent never sees those.
    secrets = mkdtempSync('/var/lib/steward-secrets-');
    chmodSync(secrets, 0o755);
    mkdirSync(resolve(secrets, 'open'), { mode: 0o755 });
    for (const name of ['broker', 'open/other', 'open/canary'])
      writeFileSync(resolve(secrets, name), 'canary-of-a-secret-file', { mode: 0o644 });
    writeFileSync(resolve(secrets, 'authorities.pem'), AUTHORITIES, { mode: 0o644 });
    writeFileSync(resolve(secrets, 'certificate-and-key.pem'), `${AUTHORITIES}${PRIVATE_KEY}`, { mode: 0o644 });
    worker = await startTestWorker({
      FLOW_HIDE_PATHS: [resolve(secrets, 'open'), resolve(secrets, 'made-later')].join(','),
      SOMETHING_FILE: resolve(secrets, 'broker'),
      SSL_CERT_FILE: resolve(secrets, 'authorities.pem'),
      TLS_CERT_FILE: resolve(secrets, 'certificate-and-key.pem'),
      FLOW_MAX_PROCESSES: '48',
      FLOW_MAX_MEMORY_MB: '128',
      FLOW_MAX_FILE_MB: '4',
      FLOW_MAX_DISK_MB: '64',
      FLOW_MAX_OPEN_FILES: '128',
    });
    writeFileSync(resolve(worker.evidenceDirectory, 'of-another-account'), 'canary-of-evidence', { mode: 0o644 });
  });
  afterAll(async () => {
    await worker.stop();
    rmSync(secrets, { recursive: true });
  });

  const run = async (command: string, fields: Partial<FlowFields> = {}): Promise<ExecutionRow & { log: string }> => {
    const ended = await worker.waitForEnd((await worker.trigger(await worker.createFlow(command, fields))).id);
    return { ...ended, log: await worker.readLog(ended) };
  };

  it('can see only the processes of its own run, and read only its own environment', async () => {
    const { log, status } = await run(
      'ls /proc | grep -c "^[0-9]" | sed "s/^/processes: /"; cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -v ^STEWARD; cat /proc/[0-9]*/cmdline | tr "\\0" " "',
    );
    expect(status).toBe('SUCCEEDED');
    expect(Number(/processes: (\d+)/.exec(log)?.[1])).toBeLessThan(8);
    expect(log).not.toMatch(/DATABASE_URL|NATS_URL|jest-worker/);
    expect(isReadableElsewhere(log)).toBe(false);
  });

  it('has a separate user without groups or capabilities, and cannot gain any', async () => {
    const { log } = await run('echo "uid=$(id -u) gid=$(id -g) groups=$(id -G)"; cat /proc/self/status; id -un');
    const [, uid, gid, groups] = /uid=(\d+) gid=(\d+) groups=(.*)/.exec(log) ?? [];
    expect([Number(uid) >= 2_000_000, gid === uid, groups === gid]).toEqual([true, true, true]);
    expect(log).toMatch(/NoNewPrivs:\s+1/);
    for (const set of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(log).toMatch(new RegExp(`${set}:\\s+0{16}`));
  });

  it('can read the certificate authorities that a variable names, which TLS needs, but no certificate file that contains a key', async () => {
    const { log } = await run(`cat ${secrets}/authorities.pem; cat ${secrets}/certificate-and-key.pem`);
    expect(log).toContain('BEGIN CERTIFICATE');
    expect(log).not.toContain('canary-of-a-secret-file');
  });

  it('cannot find a secret that was stored under a hidden path after the start of the worker', async () => {
    mkdirSync(resolve(secrets, 'made-later'), { mode: 0o755 });
    writeFileSync(resolve(secrets, 'made-later', 'login'), 'canary-of-a-later-login', { mode: 0o644 });
    const { log } = await run(`ls ${secrets}; cat ${secrets}/made-later/login`);
    expect(log).toContain('made-later');
    expect(log).not.toContain('canary-of-a-later-login');
  });

  it('cannot find secret files, evidence, or anything of another run', async () => {
    const victim = await worker.trigger(
      await worker.createFlow('echo canary-of-a-run > seeded.txt; echo started; sleep 30', {
        agent_config: {
          command: 'echo canary-of-a-run > seeded.txt; echo canary-in-tmp > /tmp/steward-canary; sleep 30',
          env: { SECRET: 'canary-in-the-environment' },
        },
      }),
      { subject: 'canary-of-a-prompt' },
    );
    await eventually(async () => (await worker.find(victim.id)).status === 'RUNNING');
    const { log } = await run(
      [
        `cat ${secrets}/open/canary ${secrets}/open/other ${secrets}/broker`,
        `cat ${worker.evidenceDirectory}/* ; ls -laR ${worker.evidenceDirectory}`,
        `ls -laR ${worker.workDirectory} | grep -v "^total"`,
        `find / -xdev ${NO_RUN_WRITES_THERE} -o \\( -name prompt.txt -o -name seeded.txt -o -name steward-canary \\) -exec cat {} + 2>&1`,
        `cat ${worker.workDirectory}/${victim.id}/*/* 2> /dev/null`,
        'grep -c . /proc/*/environ; ls -la /tmp',
      ].join('; '),
    );
    expect(log).not.toContain('canary-');
    expect(log).not.toContain(victim.id);
  });

  it('cannot remove the mounts that hide these files, even with its own namespaces', async () => {
    const peek = `umount ${secrets}/open; cat ${secrets}/open/canary; cat /proc/self/mountinfo > /dev/null`;
    const { log } = await run(`${peek}; unshare -Urm sh -c '${peek}'; unshare -Urpmf --mount-proc sh -c '${peek}'`);
    expect(log).not.toContain('canary-of');
  });

  it.each([
    ['a process in a separate session', 'setsid sleep 471.$N'],
    ['a daemon that forked twice', '( ( setsid sh -c "trap \\"\\" TERM HUP; sleep 471.$N; :" & ) & )'],
    ['a child in the background', 'sleep 471.$N'],
  ])('leaves nothing running after its run: %s (EXEC-16)', async (_what, start) => {
    const mark = String(Math.floor(Math.random() * 1e9));
    const command = start.replace('$N', mark);
    const agent = await run(`${command} > /dev/null 2>&1 < /dev/null & sleep 0.2; echo started`);
    expect([agent.status, findProcesses(mark)]).toEqual(['SUCCEEDED', []]);
    const setup = await run('true', { setup_commands: [`${command} > /dev/null 2>&1 & sleep 0.2`] });
    expect([setup.status, findProcesses(mark)]).toEqual(['SUCCEEDED', []]);
  });

  it('that forks endlessly fails with the name of the limit, and the worker continues (LIM-35)', async () => {
    const mark = String(Math.floor(Math.random() * 1e9));
    const bomb = await run(`while :; do sleep 472.${mark} & done; wait`);
    expect([bomb.status, bomb.failure_category]).toEqual(['FAILED', 'agent_error']);
    expect(bomb.error_message).toContain('FLOW_MAX_PROCESSES');
    expect(findProcesses(mark)).toEqual([]);
    expect((await run('echo fine')).status).toBe('SUCCEEDED');
  });

  it('that uses too much memory fails with the name of the limit (LIM-35)', async () => {
    const hog = await run('head -c 400000000 /dev/zero | tail -c 390000000 > /dev/null; exit $?');
    expect([hog.status, hog.failure_category]).toEqual(['FAILED', 'agent_error']);
    expect(hog.error_message).toContain('FLOW_MAX_MEMORY_MB');
  });

  it.each([
    ['one file', 'exec head -c 20000000 /dev/zero > large'],
    [
      'many files',
      'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); head -c 2000000 /dev/zero > f$i || exit 1; done; sleep 30',
    ],
  ])('cannot fill the disk with %s', async (_what, command) => {
    const full = await run(command);
    expect([full.status, full.failure_category]).toEqual(['FAILED', 'agent_error']);
    expect(full.error_message).toMatch(/FLOW_MAX_(DISK|FILE)_MB|SIGXFSZ/);
  });

  it('has the intended access to its home, its prompt and its workspace', async () => {
    const { id, log, status, result } = await run(
      'echo {\\"a\\":1} > result.json; echo x > "$HOME/y"; echo x > /tmp/z; echo x > "$TMPDIR/z"; cat "$STEWARD_PROMPT_FILE"; [ "$PWD" = "$STEWARD_WORKSPACE" ] && echo same; echo x > /etc/steward-test || echo refused; echo more >> "$STEWARD_PROMPT_FILE" || echo kept',
      { setup_commands: ['id -un; echo x > made-by-setup', 'cat made-by-setup'] },
    );
    expect([status, result]).toEqual(['SUCCEEDED', { a: 1 }]);
    for (const line of ['Work on this', 'same', 'refused', 'kept']) expect(log).toContain(line);
    expect(existsSync('/etc/steward-test')).toBe(false);
    expect(readdirSync(worker.workDirectory)).not.toContain(id);
  });
});

/** Returns whether a log contains a variable of this test's own process, which is the worker here. */
function isReadableElsewhere(log: string): boolean {
  return log.includes('FLOW_HIDE_PATHS=') || log.includes('JEST_WORKER_ID=');
}
