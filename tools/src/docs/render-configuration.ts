import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Setting } from '@steward/runtime';
import { APPS, WORKSPACE_ROOT } from '../workspace.ts';

type Settings = Readonly<Record<string, Setting<unknown>>>;

const tables = new Map<string, Settings>();
for (const app of APPS) tables.set(app, await loadSettingsOf(app));

/** Each app's one `config.ts` exports its settings as the only constant ending in `Settings`. */
async function loadSettingsOf(app: string): Promise<Settings> {
  const folder = resolve(WORKSPACE_ROOT, 'apps', app, 'src');
  if (!readdirSync(folder).includes('config.ts')) throw new Error(`${app} has no config.ts`);
  const module = (await import(pathToFileURL(resolve(folder, 'config.ts')).href)) as Record<string, unknown>;
  const name = Object.keys(module).find((key) => key.endsWith('Settings'));
  if (name === undefined) throw new Error(`${app}/src/config.ts exports no ...Settings`);
  return module[name] as Settings;
}

/** Every environment variable of every app. */
export function renderConfiguration(): string {
  const sections = [...tables].map(([app, settings]) =>
    [
      `## ${app}`,
      '',
      '| variable | default | unit or choices | meaning |',
      '|---|---|---|---|',
      ...Object.values(settings).map(renderRow),
      '',
    ].join('\n'),
  );
  return [
    '# Configuration',
    '',
    "Generated from each app's `config.ts` by `npm run docs`. Settings are read once at start and printed, secrets masked, in the `service.started` line.",
    '',
    ...sections,
  ].join('\n');
}

function renderRow(setting: Setting<unknown>): string {
  const fallback = setting.required
    ? '(required)'
    : setting.defaultText === undefined
      ? '(not set)'
      : `\`${setting.defaultText || ' '}\``;
  const cells = [`\`${setting.variable}\``, fallback, setting.unit ?? setting.allowed ?? '', setting.description];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
