import { randomBytes } from 'node:crypto';
import { createApi, requireStatus } from '../../demo/api.ts';
import { registerOwner } from '../../e2e/register-owner.ts';
import { fillAccount } from '../fill-account.ts';
import type { AttackReport, AttackTarget, Breach } from '../target.ts';
import { REQUEST_BOMBS, type RequestBomb } from './request-bombs.ts';
import { watchService, type Watched } from './watch-service.ts';

/** Limits that the service must not exceed during an attack (the gateway's memory, another account's latency). */
export const GROWTH_MB = 100;
export const OTHERS_P99_MS = 500;

interface Refusal {
  readonly status: number;
  readonly text: string;
}

interface Bounds {
  readonly growthMb: number;
  /**
   * Limit of the latency of other requests. Undefined on a machine with other load, where the latency would be
   * meaningless.
   */
  readonly othersP99Ms?: number;
  /** Bombs that are sent; by default all. */
  readonly bombs?: readonly RequestBomb[];
}

/**
 * Sends each bomb as the owner of an account with data, while another account works. A 4xx must name the limit that was
 * reached.
 */
export async function attackRequests(
  { url, gatewayPid }: Pick<AttackTarget, 'url' | 'gatewayPid'>,
  bounds: Bounds = { growthMb: GROWTH_MB, othersP99Ms: OTHERS_P99_MS },
): Promise<AttackReport> {
  const anonymous = createApi(url);
  const attacker = await registerOwner(anonymous, `attacker-${randomBytes(6).toString('hex')}`);
  await fillAccount(attacker.api);
  const model = {
    alias: 'other',
    provider: 'anthropic',
    model_identifier: 'claude-sonnet-4-5',
    api_key: 'sk-of-a-provider',
  };
  await requireStatus(201, attacker.api.call('POST', '/api/v1/ai-models', { body: model }));
  const other = await registerOwner(anonymous, `other-${randomBytes(6).toString('hex')}`);
  const ask = async (): Promise<void> => {
    const { status } = await other.api.call('GET', '/api/v1/users/me');
    if (status !== 200) throw new Error(`another client got ${status}`);
  };
  const breaches: Breach[] = [];
  const notes: string[] = [];
  const bombs = bounds.bombs ?? REQUEST_BOMBS;
  for (const bomb of bombs) {
    const body = bomb.build();
    const send = (): Promise<Refusal> => sendBomb(url, bomb, body, attacker.accessToken);
    const isTimed = bounds.othersP99Ms !== undefined;
    const watched = await watchService({ pid: gatewayPid, ask, isTimed }, () =>
      Promise.all(Array.from({ length: bomb.times }, send)),
    );
    notes.push(describe(bomb, body, watched));
    breaches.push(...judge(bomb, watched, bounds));
  }
  return { tried: bombs.length, breaches, notes };
}

async function sendBomb(url: string, { path, headers }: RequestBomb, body: Buffer, bearer: string): Promise<Refusal> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, ...headers },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(120_000),
  });
  return { status: response.status, text: await response.text() };
}

function judge(
  bomb: RequestBomb,
  { result, grewMb, othersP99Ms, failures }: Watched<readonly Refusal[]>,
  bounds: Bounds,
): Breach[] {
  const name = `${bomb.name} at ${bomb.path}`;
  const odd = result.find(
    ({ status, text }) => !isRefused(bomb, status) || (bomb.isPassedOn !== true && !bomb.limit.test(text)),
  );
  return [
    ...failures.map((failure) => `${name} makes a request of another account fail: ${failure}`),
    ...(odd === undefined ? [] : [`${name} results in ${odd.status} ${odd.text.slice(0, 200)}`]),
    ...(grewMb > bounds.growthMb ? [`${name} makes the gateway grow by ${Math.round(grewMb)} MB`] : []),
    ...(othersP99Ms > (bounds.othersP99Ms ?? Infinity)
      ? [`${name} makes another account wait ${Math.round(othersP99Ms)} ms`]
      : []),
  ];
}

const isRefused = ({ isAnswered, isPassedOn }: RequestBomb, status: number): boolean =>
  (status >= 400 && status < 500) || (isAnswered === true && status === 200) || (isPassedOn === true && status === 502);

function describe({ name, path, times }: RequestBomb, body: Buffer, watched: Watched<readonly Refusal[]>): string {
  const { result, grewMb, othersP99Ms, othersWorstMs } = watched;
  const statuses = [...new Set(result.map(({ status }) => status))].join(', ');
  const code = /"(?:code|type|message)":\s*"([^"]{0,80})/.exec(result[0]?.text ?? '')?.[1] ?? '';
  const size = body.length > 1e6 ? `${(body.length / 1e6).toFixed(1)} MB` : `${Math.ceil(body.length / 1000)} KB`;
  return `${path}: ${name} (${times > 1 ? `${times} x ` : ''}${size}): ${statuses} ${code}; +${Math.round(grewMb)} MB; others p99 ${Math.round(othersP99Ms)} ms, worst ${Math.round(othersWorstMs)} ms`;
}
