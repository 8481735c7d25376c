import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

interface Hook {
  readonly key: string;
  readonly currentHash: string;
}

const WITHIN_MS = 20_000;

/**
 * Trusts the hooks of a configuration through Codex's own server, using the request that `/hooks` of Codex sends when
 * its user agrees.
 */
export function trustCodexHooks(binary: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const codex = spawn(binary, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => codex.kill(), WITHIN_MS);
    let isTrusted = false;
    codex.once('error', reject);
    codex.once('close', () => {
      clearTimeout(timer);
      if (isTrusted) resolve();
      else reject(new Error('Codex did not accept the trust in its hooks.'));
    });
    codex.stdin.on('error', () => undefined);
    const send = (message: object): void => void codex.stdin.write(`${JSON.stringify(message)}\n`);
    createInterface({ input: codex.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as { id?: number; result?: { data?: readonly { hooks: readonly Hook[] }[] } };
      if (answer.id === 2) {
        const hooks = (answer.result?.data ?? []).flatMap((list) => list.hooks);
        const value = Object.fromEntries(hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]));
        const edits = [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }];
        send({ id: 3, method: 'config/batchWrite', params: { edits, reloadUserConfig: true } });
      }
      if (answer.id !== 3) return;
      isTrusted = answer.result !== undefined;
      codex.kill();
    });
    send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'clients', title: 'Clients', version: '1' } } });
    send({ method: 'initialized' });
    send({ id: 2, method: 'hooks/list', params: { cwds: [cwd] } });
  });
}
