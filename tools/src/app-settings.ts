import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Setting } from '@steward/process';
import { APPS, WORKSPACE_ROOT, type AppName } from './workspace.ts';

export type AppSettings = Readonly<Record<string, Setting<unknown>>>;

/** The settings of every app; source of the configuration document and of the local stack's list of secrets. */
export const APP_SETTINGS = Object.fromEntries(
  await Promise.all(APPS.map(async (app) => [app, await loadSettingsOf(app)] as const)),
) as Readonly<Record<AppName, AppSettings>>;

/**
 * Loads the settings of an app. The only `config.ts` of each app exports its settings as the only constant with the
 * suffix `Settings`.
 */
async function loadSettingsOf(app: AppName): Promise<AppSettings> {
  const folder = resolve(WORKSPACE_ROOT, 'apps', app, 'src');
  if (!readdirSync(folder).includes('config.ts')) throw new Error(`${app} has no config.ts`);
  const module = (await import(pathToFileURL(resolve(folder, 'config.ts')).href)) as Record<string, unknown>;
  const name = Object.keys(module).find((key) => key.endsWith('Settings'));
  if (name === undefined) throw new Error(`${app}/src/config.ts exports no ...Settings`);
  return module[name] as AppSettings;
}
