import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CliContext } from '../cli-context.ts';
import type { Enrollable } from './agent-kinds.ts';

/** Time limit for the start of an agent's own server, which takes a second or two. */
const CODEX_MS = 20_000;
/** Time limit of the test: the time for which a hook waits for approvals, plus a margin. */
const PROBE_MS = 60_000;
const TRUST =
  'Start codex, enter /hooks and trust the hook (again after each change of the hook), or install it as a managed hook: docs/use/hooks.md. "codex exec" silently skips hooks that are not trusted.';

/**
 * Returns the reason why the hook in an agent's configuration is not active; undefined if it is active or if the agent
 * has no hook.
 *
 * @param path - Path of the agent's configuration
 */
export async function findHookProblem(
  context: CliContext,
  agent: Enrollable,
  path: string,
): Promise<string | undefined> {
  if (agent === 'codex') return findCodexProblem(context);
  return agent === 'claude-code' ? findClaudeProblem(context, path) : undefined;
}

interface CodexHook {
  readonly command?: unknown;
  readonly enabled?: unknown;
  readonly isManaged?: unknown;
  readonly trustStatus?: unknown;
}

/**
 * Returns the problem that Codex itself reports: which hooks it has and trusts, through `hooks/list` of its app server.
 */
async function findCodexProblem({ env }: CliContext): Promise<string | undefined> {
  const hooks = await listCodexHooks(env);
  if (typeof hooks === 'string') return hooks;
  const ours = hooks.filter(({ command }) => typeof command === 'string' && command.includes('steward hook codex'));
  if (ours.length === 0)
    return 'Codex does not recognize the hook: the version may be too old for hooks (0.124 or later is required).';
  if (ours.every(({ enabled }) => enabled === false)) return 'The hook is disabled in Codex.';
  const isRun = ours.some(
    ({ enabled, isManaged, trustStatus }) => enabled !== false && (isManaged === true || trustStatus === 'trusted'),
  );
  return isRun ? undefined : `Codex does not trust the hook and does not run it. ${TRUST}`;
}

/** Lists the hooks of Codex; returns a message if they cannot be listed. */
function listCodexHooks(env: CliContext['env']): Promise<readonly CodexHook[] | string> {
  return new Promise((resolve) => {
    const codex = spawn('codex', ['app-server'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...env } as NodeJS.ProcessEnv,
    });
    const end = (answer: readonly CodexHook[] | string): void => {
      clearTimeout(timer);
      codex.kill();
      resolve(answer);
    };
    const timer = setTimeout(() => end('Codex does not report which hooks it trusts.'), CODEX_MS);
    codex.on('error', () => end('codex is not on the PATH, so its trust in the hook cannot be checked.'));
    codex.on('exit', () => end('Codex does not report which hooks it trusts: "codex app-server" ended.'));
    codex.stdin.on('error', () => undefined);
    const send = (message: object): void => void codex.stdin.write(`${JSON.stringify(message)}\n`);
    createInterface({ input: codex.stdout }).on('line', (line) => {
      const answer = readLine(line);
      if (answer?.id !== 2) return;
      const lists = answer.result?.data;
      if (lists === undefined) return end('This version of Codex does not report which hooks it trusts.');
      end(lists.flatMap(({ hooks }) => hooks ?? []));
    });
    send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'steward', title: 'Steward', version: '1' } } });
    send({ method: 'initialized' });
    send({ id: 2, method: 'hooks/list', params: { cwds: [process.cwd()] } });
  });
}

interface HooksAnswer {
  readonly id?: unknown;
  readonly result?: { readonly data?: readonly { readonly hooks?: readonly CodexHook[] }[] };
}

function readLine(line: string): HooksAnswer | undefined {
  try {
    return JSON.parse(line) as HooksAnswer;
  } catch {
    return undefined;
  }
}

/**
 * Runs Claude Code's hook command once, which must call the service and return a response; returns the problem if it
 * does not.
 */
async function findClaudeProblem({ env }: CliContext, path: string): Promise<string | undefined> {
  const settings = readSettings(path);
  if (settings?.disableAllHooks === true) return '"disableAllHooks" in its settings disables hooks.';
  const hooks = (settings?.hooks?.PreToolUse ?? []).flatMap((entry) => entry.hooks ?? []);
  const command = hooks.map((hook) => hook.command).find((each) => each?.includes('steward hook claude-code'));
  if (command === undefined) return 'Its settings contain no hook of the service.';
  const failure = await probe(command, env);
  return failure === undefined ? undefined : `Its hook does not work: ${failure}`;
}

interface ClaudeSettings {
  readonly disableAllHooks?: unknown;
  readonly hooks?: { readonly PreToolUse?: readonly { readonly hooks?: readonly { readonly command?: string }[] }[] };
}

function readSettings(path: string): ClaudeSettings | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ClaudeSettings;
  } catch {
    return undefined;
  }
}

/**
 * Tests the hook with a call that does nothing. Returns undefined if the hook sent a request and received a response,
 * with any decision.
 */
function probe(command: string, env: CliContext['env']): Promise<string | undefined> {
  return new Promise((resolve) => {
    const shell = execFile(
      '/bin/sh',
      ['-c', command],
      { env: { ...env } as NodeJS.ProcessEnv, timeout: PROBE_MS },
      (error, stdout, stderr) => {
        if (error !== null) return resolve(`${stderr.trim().slice(-200)} (exit ${String(error.code ?? error.signal)})`);
        resolve(/Steward could not be queried[^"]*/.exec(stdout)?.[0]);
      },
    );
    shell.stdin?.on('error', () => undefined);
    shell.stdin?.end(JSON.stringify(PROBE));
  });
}

const PROBE = {
  session_id: 'steward-validate',
  hook_event_name: 'PreToolUse',
  cwd: '/',
  tool_name: 'Read',
  tool_input: { file_path: '/dev/null' },
};
