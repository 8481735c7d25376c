import { randomBytes } from 'node:crypto';
import { AppError } from '@steward/contracts';
import { transact } from '@steward/database';
import { defineRoute, type Route } from '@steward/http';
import { findOrInsertSalt, isDiscoveryEnabled, setDiscoveryEnabled } from '@steward/agents';
import { recordAudit } from '@steward/audit';
import type { DiscoveryDeps } from './discovery-deps.ts';
import { SaltAnswer, Setting } from './discovery-schemas.ts';

const SALT_BYTES = 32;
const ANSWER = { description: 'The setting.', name: 'DiscoverySetting', schema: Setting };

export function createReadSettingRoute({ db, settings }: DiscoveryDeps): Route {
  return defineRoute({
    operationId: 'readDiscoverySetting',
    method: 'get',
    path: '/api/v1/agents/discovery-setting',
    permissions: ['view_agents'],
    summary: 'Read whether workstations may report their agents.',
    responses: { 200: ANSWER },
    handler: async ({ principal: { accountId } }) => {
      const enabled = settings.agentDiscoveryEnabled && (await isDiscoveryEnabled(db, accountId));
      return { status: 200, body: { enabled } };
    },
  });
}

export function createSaveSettingRoute(deps: DiscoveryDeps): Route {
  return defineRoute({
    operationId: 'saveDiscoverySetting',
    method: 'put',
    path: '/api/v1/agents/discovery-setting',
    permissions: ['manage_agents'],
    summary: 'Accept or refuse reports from workstations. Existing candidates are retained.',
    body: Setting,
    bodyExample: { enabled: true },
    responses: { 200: ANSWER },
    audit: { action: 'update', resourceType: 'discovery_setting' },
    handler: async ({ body: { enabled }, principal: { accountId }, audit }) => {
      if (enabled && !deps.settings.agentDiscoveryEnabled) throw new AppError('discovery_disabled');
      const salt = randomBytes(SALT_BYTES);
      await transact(deps, async (trx) => {
        await setDiscoveryEnabled(trx, { accountId, isEnabled: enabled, salt, now: deps.clock.now() });
        await recordAudit(trx, audit({ resourceId: accountId, details: { enabled } }));
      });
      return { status: 200, body: { enabled } };
    },
  });
}

export function createReadSaltRoute({ db, clock }: DiscoveryDeps): Route {
  return defineRoute({
    operationId: 'readDiscoverySalt',
    method: 'get',
    path: '/api/v1/agents/discovery-salt',
    openTo: ['discovery_key'],
    permissions: ['report_discovery'],
    summary: 'Read the salt that the workstations of the account use for hashing.',
    responses: { 200: { description: 'The salt.', name: 'DiscoverySalt', schema: SaltAnswer } },
    handler: async ({ principal: { accountId } }) => {
      const salt = await findOrInsertSalt(db, { accountId, salt: randomBytes(SALT_BYTES), now: clock.now() });
      return { status: 200, body: { salt: salt.toString('hex') } };
    },
  });
}
