import { addProgram, unknownProgram, type Reading } from './reading.ts';
import { NO_INPUT, type Field } from './shell-program.ts';

/** Variables whose value other programs execute. */
const CODE_VARIABLES =
  /^(?:GIT_(?:SSH_COMMAND|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|SSH_ASKPASS|PROMPT_COMMAND|LESSOPEN|LESSCLOSE)$/;
/** Variables that name a file (or process substitution) that a shell reads when it starts. */
const FILE_VARIABLES = /^(?:BASH_ENV|ENV)$/;
/** Git settings that define git commands, programs that git runs, or the behavior of later pushes. */
const GIT_SETTINGS =
  /^(?:alias\.|core\.(?:sshcommand|pager|editor|fsmonitor|hookspath)|credential\.helper|remote\..*\.(?:push|mirror)|push\.mirror|.*\.(?:command|textconv|cmd)\b)/i;

export function isGitSetting(text: string): boolean {
  return GIT_SETTINGS.test(text);
}

/** Records what other programs run because of a variable: code in its value, a file that it names, or a git setting. */
export function noteVariable(reading: Reading, name: string, text: string, fields: readonly Field[]): void {
  if (CODE_VARIABLES.test(name)) reading.readCode(text, NO_INPUT);
  const isMade = FILE_VARIABLES.test(name) && fields.some(({ from }) => from.length > 0);
  const isSetting = /^GIT_CONFIG_KEY_\d+$/.test(name) && isGitSetting(text);
  if (isMade || isSetting || (name === 'GIT_CONFIG_PARAMETERS' && text !== '')) addProgram(reading, unknownProgram());
}

/** Records the variables (`NAME=value`) among the words of `env`, as `noteVariable` does. */
export function noteVariables(reading: Reading, fields: readonly Field[]): void {
  for (const field of fields) {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(field.text) ?? [];
    if (name !== '') noteVariable(reading, name, value, [field]);
  }
}

/** Records commands that `git config` sets. Returns whether the setting changes how later pushes behave. */
export function noteGitConfig(reading: Reading, words: readonly string[]): boolean {
  const operands = words.filter((text) => !text.startsWith('-') && text !== 'set' && text !== 'add');
  const [name = '', value = ''] = operands;
  if (!isGitSetting(name) || value === '') return false;
  if (/^(?:remote\..*\.(?:push|mirror)|push\.mirror)$/i.test(name))
    return !/^(?:false|no|off|0|[^+].*:.*)$/i.test(value);
  const isAlias = /^alias\./i.test(name);
  reading.readCode(isAlias ? (value.startsWith('!') ? value.slice(1) : `git ${value}`) : value, NO_INPUT);
  return false;
}
