import { randomBytes } from 'node:crypto';
import { createApi } from '../../demo/api.ts';
import { registerOwner } from '../../e2e/register-owner.ts';
import type { AttackReport, AttackTarget } from '../target.ts';
import { GROWTH_MB, OTHERS_P99_MS } from './attack-requests.ts';
import { sendSlowly, SLOW_REQUESTS } from './slow-bodies.ts';
import { watchService } from './watch-service.ts';

const EACH = 50;

/**
 * Sends requests that never end, many at the same time over every protocol, while another account works: the service
 * has to abort each of them.
 */
export async function attackSlowly({ url, gatewayPid }: AttackTarget): Promise<AttackReport> {
  const anonymous = createApi(url);
  const attacker = await registerOwner(anonymous, `attacker-${randomBytes(6).toString('hex')}`);
  const other = await registerOwner(anonymous, `other-${randomBytes(6).toString('hex')}`);
  const ask = async (): Promise<void> => {
    const { status } = await other.api.call('GET', '/api/v1/users/me');
    if (status !== 200) throw new Error(`another client got ${status}`);
  };
  const sent = SLOW_REQUESTS.flatMap((request) => Array.from({ length: EACH }, () => request));
  const { result, grewMb, othersP99Ms, failures } = await watchService({ pid: gatewayPid, ask, isTimed: true }, () =>
    Promise.all(
      sent.map(async (request) => ((await sendSlowly(url, request, attacker.accessToken)) ? [] : [request.name])),
    ),
  );
  const left = [...new Set(result.flat())];
  return {
    tried: sent.length,
    breaches: [
      ...failures.map((failure) => `slow requests make a request of another account fail: ${failure}`),
      ...left.map((name) => `${name}, a byte a second, is waited for`),
      ...(grewMb > GROWTH_MB ? [`slow requests make the gateway grow by ${Math.round(grewMb)} MB`] : []),
      ...(othersP99Ms > OTHERS_P99_MS ? [`slow requests make another account wait ${Math.round(othersP99Ms)} ms`] : []),
    ],
    notes: [
      `${sent.length} requests, a byte a second: +${Math.round(grewMb)} MB; others p99 ${Math.round(othersP99Ms)} ms`,
    ],
  };
}
