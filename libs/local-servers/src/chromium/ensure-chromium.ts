import { ensurePrograms } from '../ensure-programs.ts';
import { runCommand } from '../run-command.ts';
import type { ResolveOptions } from '../server-options.ts';

/**
 * Name of the headless browser. For the same tests, it uses 60 % of the CPU time of the complete browser; not all
 * distributions have it.
 */
const SHELL = 'chromium-headless-shell';
/** Names of the program in distributions and in Google's packages. */
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Returns the path of a Chromium: the one that `CHROMIUM_PATH` names, otherwise one on PATH, otherwise that of the
 * distribution's package. The installation of the package is reported before it begins. Nothing is downloaded from
 * other sources. Throws a one-line error that states the required action if no Chromium is found and none can be
 * installed.
 */
export async function ensureChromium(
  options: Pick<ResolveOptions, 'allowInstall' | 'progress'> & { readonly named: string | undefined },
): Promise<string> {
  const named = options.named?.trim() ?? '';
  if (named !== '') return requireRunning(named, 'CHROMIUM_PATH names');
  const found = await findOnPath();
  if (found !== undefined) return found;
  try {
    await ensurePrograms([SHELL], options).catch(() => ensurePrograms(['chromium'], options));
  } catch (cause) {
    throw new Error('the tests of the web console need a browser: install chromium, or set CHROMIUM_PATH', {
      cause,
    });
  }
  return requireRunning((await findOnPath()) ?? 'chromium', 'apt installed');
}

async function findOnPath(): Promise<string | undefined> {
  for (const name of NAMES) {
    const { code, stdout } = await runCommand('sh', ['-c', `command -v ${name}`]);
    if (code === 0) return stdout.trim();
  }
  return undefined;
}

async function requireRunning(path: string, who: string): Promise<string> {
  const { code } = await runCommand(path, ['--version']);
  if (code !== 0) throw new Error(`${who} ${path}, which does not run as a browser`);
  return path;
}
