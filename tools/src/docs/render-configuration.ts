import { fileVariable, type Setting } from '@steward/process';
import { APP_SETTINGS } from '../app-settings.ts';

/** Every environment variable of every app. */
export function renderConfiguration(): string {
  const sections = Object.entries(APP_SETTINGS).map(([app, settings]) =>
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
    'A setting marked with a file variable is secret. It can be given as the path of a file that holds it, in that variable instead (not in both): then it stands in no environment, which other processes of the user can read. White space around the secret does not count; an empty or unreadable file ends the start with one line, a file that every user can read is warned about.',
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
  const variables = [setting.variable, ...(setting.secret ? [fileVariable(setting.variable)] : [])];
  const cells = [
    variables.map((name) => `\`${name}\``).join(' or '),
    fallback,
    setting.unit ?? setting.allowed ?? '',
    setting.description,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
