import { readFileSync } from 'node:fs';
import { eventually } from '@steward/testing';
import { startTestGateway } from '../testing/start-gateway.ts';

/**
 * A request to each surface that PROC-14 names: without a credential it returns 401 if the surface is served, else 404.
 */
const SURFACES = {
  '/api/v1': ['GET', '/api/v1/flows'],
  '/mcp/v1': ['POST', '/mcp/v1'],
  '/otlp/v1': ['POST', '/otlp/v1/traces'],
  '/openai/v1': ['GET', '/openai/v1/models'],
  '/anthropic/v1': ['POST', '/anthropic/v1/messages'],
} as const;

const page = readFileSync(new URL('../../../../docs/contract/processes.md', import.meta.url), 'utf8');
const ROLES = [...page.matchAll(/^\| `api-gateway` +\| `(\w+)`[^|]*\| (.*) \|$/gm)].map(
  ([, role = '', served = '']) => [role, [...served.matchAll(/`([^`]+)`/g)].map(([, name]) => name)] as const,
);

describe('the APIs of a gateway (PROC-14)', () => {
  it('are tested for every role', () => {
    expect(ROLES.map(([role]) => role)).toEqual(['all', 'api', 'gateway']);
  });

  it.each(ROLES)('are those of the role %s, even without telemetry (PROC-13)', async (role, served) => {
    const gateway = await startTestGateway({ SERVICE_ROLE: role, SERVICE_DISABLE_TELEMETRY: 'true' });
    try {
      await eventually(async () => (await gateway.call('GET', '/api/v1/health')).body.status === 'healthy');
      for (const [surface, [method, path]] of Object.entries(SURFACES)) {
        const { status } = await gateway.call(method, path, method === 'POST' ? { body: {} } : {});
        expect([surface, status]).toEqual([surface, (served as readonly string[]).includes(surface) ? 401 : 404]);
      }
    } finally {
      await gateway.close();
    }
  });
});
