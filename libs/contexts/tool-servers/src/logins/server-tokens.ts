import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import type { SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { LoginEndedError, type GrantedLogin, type ToolServerLogins, type ToolServerTarget } from '@steward/mcp-client';
import { claimRenewal, findGrant, noteFailedRenewal, saveRenewal, type GrantVersion } from './store/login.store.ts';
import { describeGrantContext } from './login-context.ts';
import { type ServerTarget } from '../catalogue/tool.ts';

export interface ServerTokensDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly toolServerLogins: ToolServerLogins;
  readonly toolServerSecrets: Pick<SecretBox, 'open' | 'seal'>;
}

/** Time in milliseconds before the expiry of a token: if the token is needed within this time, it is renewed first. */
const EARLY_MS = 60_000;
/** Interval in milliseconds at which a call checks whether another call has renewed the token. */
const LOOK_EVERY_MS = 200;
/** Maximum time in milliseconds that a call waits for another call to renew the token. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Returns an object with the function that provides the token for requests to the server; an empty object if the server
 * has no login. If the token has to be renewed, one call renews it, and all other calls, in any process, wait for the
 * new token.
 */
export function authorizeServer(deps: ServerTokensDeps, server: ServerTarget): Pick<ToolServerTarget, 'authorize'> {
  return server.isConnected ? { authorize: (stale) => readToken(deps, server, stale) } : {};
}

async function readToken(deps: ServerTokensDeps, server: ServerTarget, stale: string | undefined): Promise<string> {
  const { db, clock, toolServerSecrets: box } = deps;
  const until = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const row = await findGrant(db, server);
    if (row === undefined || row.hasEnded) throw refuse(server);
    const granted = JSON.parse(box.open(row.sealed, describeGrantContext(server))) as GrantedLogin;
    const isGood = row.expiresAt === null || row.expiresAt.getTime() - EARLY_MS > clock.now().getTime();
    if (granted.accessToken !== stale && isGood) return granted.accessToken;
    // A token that cannot be refreshed is used until it expires.
    if (granted.refreshToken === undefined && granted.accessToken !== stale && !isOver(row.expiresAt, clock.now()))
      return granted.accessToken;
    if (await claimRenewal(db, server, row)) return renew(deps, server, { granted, row });
    if (performance.now() > until)
      throw new AppError('provider_timeout', {
        message: `The login of the tool server ${server.name} was not renewed in time.`,
      });
    await sleep(LOOK_EVERY_MS);
  }
}

const isOver = (expiresAt: Date | null, now: Date): boolean => expiresAt !== null && expiresAt <= now;

async function renew(
  { db, toolServerLogins, toolServerSecrets: box }: ServerTokensDeps,
  server: ServerTarget,
  { granted, row }: { readonly granted: GrantedLogin; readonly row: GrantVersion },
): Promise<string> {
  const { version, connectedAt } = row;
  try {
    const renewed = await toolServerLogins.renew(server, granted);
    await saveRenewal(db, server, {
      sealed: box.seal(JSON.stringify(renewed), describeGrantContext(server)),
      expiresAt: renewed.expiresAt === undefined ? null : new Date(renewed.expiresAt),
      ...{ version, connectedAt },
    });
    return renewed.accessToken;
  } catch (error) {
    const hasEnded = error instanceof LoginEndedError;
    await noteFailedRenewal(db, server, { version, connectedAt, hasEnded });
    throw hasEnded ? refuse(server) : error;
  }
}

function refuse({ name }: ServerTarget): AppError {
  return new AppError('provider_unreachable', {
    message: `The login at the tool server ${name} has ended: a person must connect it again.`,
  });
}
