import { fileVariable, type Setting } from '@steward/process';
import { APP_SETTINGS, type AppSettings } from '../app-settings.ts';
import { ORDINARY_SETTINGS } from './ordinary-settings.ts';

/**
 * Renders every environment variable of every app: first those that all apps read, and for each app the ones that
 * operators usually choose before the rest.
 */
export function renderConfiguration(): string {
  const shared = listShared(Object.values(APP_SETTINGS));
  const sections = Object.entries(APP_SETTINGS).map(([app, settings]) =>
    renderSection(
      app,
      Object.values(settings).filter((setting) => !shared.has(setting.variable)),
    ),
  );
  return [
    '# Configuration',
    '',
    "Generated from each app's `config.ts` by `npm run docs`. The fifteen that a new deployment needs: [operate](../operate/README.md). Settings are read once at start and printed, secrets masked, in the `service.started` line.",
    '',
    'The tables named "advanced" hold settings whose defaults are suitable for nearly every deployment, or that belong to a deployment method described on a separate page.',
    '',
    'A setting marked with a file variable is secret. Its value can be in a file whose path is given in that variable instead (not in both). It is then not in the environment, which other processes of the user can read. White space around the secret is ignored; an empty or unreadable file stops the start with one line, and a file that every user can read causes a warning.',
    '',
    renderSection('Every process', [...shared.values()]),
    ...sections,
  ].join('\n');
}

/** Lists the settings that every app reads with the same default and meaning. */
function listShared(apps: readonly AppSettings[]): ReadonlyMap<string, Setting<unknown>> {
  const [first, ...others] = apps.map((settings) => Object.values(settings));
  const shared = (first ?? []).filter((setting) => {
    const row = renderRow(setting);
    return others.every((settings) => settings.some((one) => renderRow(one) === row));
  });
  return new Map(shared.map((setting) => [setting.variable, setting]));
}

function renderSection(title: string, settings: readonly Setting<unknown>[]): string {
  const rank = ({ variable, required }: Setting<unknown>): number =>
    required ? -1 : ORDINARY_SETTINGS.indexOf(variable);
  const isOrdinary = (setting: Setting<unknown>): boolean =>
    setting.required || ORDINARY_SETTINGS.includes(setting.variable);
  const ordinary = settings.filter(isOrdinary).sort((one, other) => rank(one) - rank(other));
  const advanced = settings.filter((setting) => !isOrdinary(setting));
  return [
    `## ${title}`,
    '',
    ...renderTable(ordinary),
    ...(advanced.length === 0 ? [] : [`### ${title}: advanced`, '', ...renderTable(advanced)]),
  ].join('\n');
}

function renderTable(settings: readonly Setting<unknown>[]): string[] {
  if (settings.length === 0) return [];
  return ['| variable | default | unit or choices | meaning |', '|---|---|---|---|', ...settings.map(renderRow), ''];
}

function renderRow(setting: Setting<unknown>): string {
  const fallback = setting.required
    ? '(required)'
    : setting.defaultText === undefined
      ? '(not set)'
      : `\`${setting.defaultText || ' '}\``;
  const variables = [setting.variable, ...(setting.secret ? [fileVariable(setting.variable)] : [])];
  const cells = [
    variables.map((name) => `\`${name}\``).join(' or '),
    fallback,
    setting.unit ?? setting.allowed ?? '',
    setting.description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
