import {
  createAnonymousClient,
  createKeyClient,
  createStoredClient,
  readTokens,
  type ApiClient,
} from '../api/api-client.ts';
import { describeRefusal, readAnswer, type Answer } from '../api/answer.ts';
import type { CliContext } from '../cli-context.ts';
import { readBaseUrl } from '../config/base-url.ts';
import { deleteLogin, findConfigPath, readLogin, writeLogin } from '../config/config-file.ts';
import { refuse } from '../exit-codes.ts';
import { ask, readSecret } from '../read-input.ts';

export interface LoginOptions {
  readonly url?: string;
  readonly username?: string;
  readonly apiKey?: boolean;
  /** Email address of an account that is to be created first. */
  readonly register?: string;
}

/** Runs `steward login`: tests the credential first, and stores it only if it works. */
export async function runLogin(context: CliContext, options: LoginOptions): Promise<void> {
  const { env, output } = context;
  if (options.apiKey === true && (options.username ?? options.register) !== undefined)
    throw refuse('--api-key is a separate way to log in; leave out --username and --register.');
  const given = options.url ?? env.STEWARD_URL ?? '';
  const url = readBaseUrl(given === '' ? await ask(context, 'URL: ') : given, 'The URL');
  const path = findConfigPath(env);
  const user =
    options.apiKey === true ? await storeKey(context, url, path) : await storeTokens(context, url, path, options);
  output.line(`logged in to ${url} as ${String(user.body.username)} (${String(user.body.role)})`);
  output.note(`stored in ${path}, readable only by you`);
  if ((env.STEWARD_API_KEY ?? '') !== '')
    output.note('STEWARD_API_KEY is set and takes precedence over the stored login; unset it to use this login');
}

async function storeKey(context: CliContext, url: string, path: string): Promise<Answer> {
  const apiKey = await readSecret(context, 'API key: ');
  const user = await createKeyClient(context, url, apiKey).call('GET', '/api/v1/users/me');
  writeLogin(path, { url, apiKey });
  return user;
}

async function storeTokens(context: CliContext, url: string, path: string, options: LoginOptions): Promise<Answer> {
  const username = options.username ?? (await ask(context, 'Username: '));
  const password = await readSecret(context, 'Password: ');
  const client = createAnonymousClient(context, url);
  if (options.register !== undefined) await register(client, { username, email: options.register, password });
  const answer = await readAnswer(
    await client.send('POST', '/api/v1/auth/token/json', { body: { username, password } }),
  );
  if (answer.status !== 200) throw refuse(describeRefusal(answer));
  const tokens = readTokens(answer);
  context.output.keepSecret(tokens.accessToken);
  context.output.keepSecret(tokens.refreshToken);
  const user = await createKeyClient(context, url, tokens.accessToken).call('GET', '/api/v1/users/me');
  writeLogin(path, { url, tokens });
  return user;
}

/** Creates an account, if the service allows registration. */
async function register(client: ApiClient, body: { username: string; email: string; password: string }): Promise<void> {
  const answer = await readAnswer(await client.send('POST', '/api/v1/auth/register', { body }));
  if (answer.status !== 201) throw refuse(describeRefusal(answer));
}

/**
 * Runs `steward logout`: ends the login at the service and deletes it on this machine, even if the service is
 * unavailable.
 */
export async function runLogout(context: CliContext): Promise<void> {
  const { env, output } = context;
  const path = findConfigPath(env);
  await endLogin(context, path);
  output.line(deleteLogin(path) ? `deleted ${path}` : 'there is no stored login');
}

async function endLogin(context: CliContext, path: string): Promise<void> {
  try {
    const login = readLogin(path);
    // A key was created elsewhere and may have other users, so it has to be revoked where it was created.
    if (login?.tokens === undefined) return;
    await createStoredClient(context, path, login)?.call('POST', '/api/v1/auth/logout', {
      timeoutMs: LOGOUT_TIMEOUT_MS,
    });
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.output.note(
      `the login could not be ended on the server, and remains valid there until it expires: ${(error as Error).message}`,
    );
  }
}

const LOGOUT_TIMEOUT_MS = 10_000;
