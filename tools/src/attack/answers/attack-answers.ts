import { randomBytes } from 'node:crypto';
import { BOMB_KINDS, preparePackedBombs, type BombKind } from '@steward/testing';
import { createApi, requireStatus, type Api } from '../../demo/api.ts';
import { registerOwner } from '../../e2e/register-owner.ts';
import { GROWTH_MB, OTHERS_P99_MS } from '../bombs/attack-requests.ts';
import { watchService, type Watched } from '../bombs/watch-service.ts';
import type { AttackReport, AttackTarget, Breach } from '../target.ts';
import { ANSWER_SURFACES, type AnswerSurface, type Attacker } from './answer-surfaces.ts';

/** Number of concurrent calls of an account for features with their own slots (LIM-71). */
const AT_ONCE = 5;
const TIMEOUT_MS = 3000;

interface Bounds {
  readonly kinds: readonly BombKind[];
  /** Returns true if a kind is tested at the surface with this number; by default all are. */
  readonly isTried?: (kind: number, surface: number) => boolean;
  readonly growthMb: number;
  /** Time for which an endless response is read. */
  readonly timeoutMs?: number;
  /**
   * Limit of the latency of other requests. Undefined on a machine with other load, where the latency would be
   * meaningless.
   */
  readonly othersP99Ms?: number;
}

/**
 * Makes the gateway call a malicious server through every feature in which an account configures one, while another
 * account works. The attacker may read all responses; the gateway's memory must not grow, other requests must not wait,
 * and no response may be an internal error (500). The malicious server and the other client also run in this process:
 * on a machine with few processors, this process itself may cause a wait above the limit.
 */
export async function attackAnswers(
  { url, gatewayPid, bombs }: AttackTarget,
  bounds: Bounds = { kinds: BOMB_KINDS, growthMb: GROWTH_MB, othersP99Ms: OTHERS_P99_MS },
): Promise<AttackReport> {
  preparePackedBombs();
  const anonymous = createApi(url);
  const other = await registerOwner(anonymous, `other-${randomBytes(6).toString('hex')}`);
  const breaches: Breach[] = [];
  const notes: string[] = [];
  let tried = 0;
  for (const [row, kind] of bounds.kinds.entries()) {
    for (const [column, surface] of ANSWER_SURFACES.entries()) {
      if (bounds.isTried?.(row, column) === false) continue;
      tried += 1;
      const { api, accessToken } = await openAttacker(anonymous);
      const attacker = { api, accessToken, url, bombs, timeoutMs: bounds.timeoutMs ?? TIMEOUT_MS };
      const isTimed = bounds.othersP99Ms !== undefined;
      const given = { attacker, surface, kind, other: other.api, gatewayPid, isTimed };
      const { name, watched, asked } = await tryAnswer(given);
      notes.push(describe(name, watched));
      breaches.push(...judge(name, watched, bounds));
      if (asked === 0) breaches.push(`${name} was never asked: nothing was tried`);
    }
  }
  return { tried, breaches, notes };
}

/**
 * Opens a new account for each attack, because unfinished requests of the previous one keep their slots until they end.
 */
async function openAttacker(anonymous: Api) {
  const attacker = await registerOwner(anonymous, `attacker-${randomBytes(6).toString('hex')}`);
  const rules = [{ id: 'asked', match: { tools: ['local/asked'] }, action: 'require_approval' }];
  await requireStatus(201, attacker.api.call('POST', '/api/v1/policies/apply', { body: { version: '1', rules } }));
  return attacker;
}

async function tryAnswer(given: {
  readonly attacker: Attacker;
  readonly surface: AnswerSurface;
  readonly kind: BombKind;
  readonly other: Api;
  readonly gatewayPid: number;
  readonly isTimed: boolean;
}) {
  const { attacker, surface, kind, other, gatewayPid, isTimed } = given;
  const name = `${kind} of ${surface.name}`;
  const send = await surface.open(attacker, kind);
  const { state } = attacker.bombs;
  const before = state.requests;
  const ask = async (): Promise<void> => {
    const { status } = await other.call('GET', '/api/v1/users/me');
    if (status !== 200) throw new Error(`another client got ${status}`);
  };
  const watched = await watchService({ pid: gatewayPid, ask, isTimed }, () =>
    Promise.all(Array.from({ length: AT_ONCE }, () => send())),
  );
  return { name, watched, asked: state.requests - before };
}

function judge(
  name: string,
  { result, grewMb, othersP99Ms, failures }: Watched<readonly number[]>,
  bounds: Bounds,
): Breach[] {
  return [
    ...failures.map((failure) => `${name} makes a request of another account fail: ${failure}`),
    ...(result.includes(500) ? [`${name} results in 500`] : []),
    ...(grewMb > bounds.growthMb ? [`${name} makes the gateway grow by ${Math.round(grewMb)} MB`] : []),
    ...(othersP99Ms > (bounds.othersP99Ms ?? Infinity)
      ? [`${name} makes another account wait ${Math.round(othersP99Ms)} ms`]
      : []),
  ];
}

function describe(name: string, { result, grewMb, othersP99Ms, othersWorstMs }: Watched<readonly number[]>): string {
  const statuses = [...new Set(result)].map((status) => (status === 0 ? 'broken off' : status)).join(', ');
  return `${name}: ${statuses}; +${Math.round(grewMb)} MB; others p99 ${Math.round(othersP99Ms)} ms, worst ${Math.round(othersWorstMs)} ms`;
}
