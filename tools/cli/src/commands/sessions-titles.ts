import { Option, type Command } from 'commander';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText, formatJson } from '../output.ts';

interface TitleSetting {
  readonly title_model: string | null;
  readonly title_model_enabled: boolean | null;
}

interface SessionsTitlesOptions {
  readonly model?: string;
  readonly rule?: boolean;
  readonly json?: boolean;
}

const PATH = '/api/v1/runtime-sessions/settings/titles';

/** `steward sessions titles` */
export function addSessionsTitles(sessions: Command, context: CliContext): void {
  sessions
    .command('titles')
    .description('show or set the model that titles sessions')
    .option('--model <alias>', 'AI model of the account that titles sessions from now on, by alias or id')
    .addOption(
      new Option('--rule', 'use the first words of the session as its title; no model is called').conflicts('model'),
    )
    .option('--json', 'print the setting as JSON')
    .action((options: SessionsTitlesOptions) => runSessionsTitles(context, options));
}

async function runSessionsTitles(context: CliContext, { model, rule, json }: SessionsTitlesOptions): Promise<void> {
  const client = createApiClient(context);
  const isRead = model === undefined && rule !== true;
  const { body } = isRead
    ? await client.call('GET', PATH)
    : await client.call('PUT', PATH, { body: { title_model: model ?? null } });
  context.output.line(json === true ? formatJson(body, 2) : describe(body as unknown as TitleSetting));
}

function describe({ title_model: model, title_model_enabled: isEnabled }: TitleSetting): string {
  if (model === null) return 'titled by their first words';
  const state = isEnabled === false ? '  (disabled: by their first words until it is enabled)' : '';
  return `titled by the model ${cleanText(model)}${state}`;
}
