import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { playCluster, releaseAfterAll, scaleLimit, type PlayedCluster } from '@steward/testing';
import type { Manifest, PodTemplate } from '../kubernetes/manifest.ts';
import { listPodSecurityProblems } from '../kubernetes/pod-security.ts';
import { findSet, ofKind } from '../kubernetes/rendered-sets.ts';
import { validateManifests } from '../kubernetes/validate-manifest.ts';
import { readEnd } from './read-end.ts';
import { registerOwner } from './register-owner.ts';
import { startSuiteOf, type Suite } from './start-suite.ts';

const TIMEOUT_MS = scaleLimit(300_000);

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * No API server is available where tests run, so one is simulated, and the objects that it receives are checked against
 * the schemas of Kubernetes.
 */
describe('runs as Kubernetes jobs', () => {
  const release = releaseAfterAll();
  let cluster: PlayedCluster;
  let suite: Suite;
  beforeAll(async () => {
    const volume = mkdtempSync(resolve(tmpdir(), 'steward-volume-'));
    release(() => rmSync(volume, { recursive: true, force: true }));
    cluster = await playCluster(volume);
    release(() => cluster.stop());
    suite = await startSuiteOf(['api-gateway', 'flow-trigger'], { ...cluster.environment, FLOW_WORK_DIR: volume });
    release(suite.stop);
  }, TIMEOUT_MS);

  it(
    'EXEC-27 are objects that the schemas accept, within the privileges granted by the chart, and can call the API',
    async () => {
      const { api } = await registerOwner(suite.api, 'kubernetes');
      const command =
        "node -e 'fetch(`${process.env.STEWARD_API_URL}/api/v1/health`).then((r) => console.log(r.status))'";
      const flow = await api.call('POST', '/api/v1/flows', {
        body: {
          ...{ name: 'in a pod', prompt_template: 'work', agent_type: 'command', agent_config: { command } },
          network_allow: ['127.0.0.1:9', '9.9.9.9:443'],
        },
      });
      const accepted = await api.call('POST', `/api/v1/flows/${String(flow.body.id)}/trigger`, { body: {} });
      const id = String(accepted.body.execution_id);
      expect(await readEnd(api, id)).toMatchObject({ status: 'SUCCEEDED' });
      const logs = await api.call('GET', `/api/v1/flows/executions/${id}/logs?limit=200`);
      const { items } = logs.body as unknown as { items: readonly { text: string }[] };
      const lines = items.flatMap(({ text }) => text.split('\n'));
      expect(lines).toContain('200');

      const objects = cluster.created as unknown as Manifest[];
      expect(objects.map(({ kind }) => kind)).toEqual(['Job', 'NetworkPolicy']);
      expect(await validateManifests(objects.map(dropUid))).toEqual([]);
      const [job, policy] = objects;
      const template = job?.spec?.template as PodTemplate;
      expect(listPodSecurityProblems(template.spec)).toEqual([]);
      const [container] = template.spec.containers;
      expect(container?.env).toBeUndefined();
      expect(JSON.stringify(policy?.spec?.egress)).toContain('9.9.9.9/32');
      expect(cluster.listPods(id)).toEqual([]);

      const [role] = ofKind(findSet('ingress'), 'Role');
      const { rules } = role as unknown as { readonly rules: readonly Rule[] };
      const allowed = rules.flatMap(({ resources, verbs }) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
      );
      expect([...new Set(cluster.requests.map(toRight))].filter((right) => !allowed.includes(right))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** Removes the uid, whose value the server sets. */
function dropUid(object: Manifest): Manifest {
  const { uid: _uid, ...metadata } = object.metadata as Manifest['metadata'] & { readonly uid: string };
  return { ...object, metadata };
}

/** Returns the permission that a request needs, written as a rule: `create jobs`. */
function toRight(request: string): string {
  const [method = '', path = ''] = request.split(' ');
  const [resource = '', name, part] = path.replace(/^.*\/namespaces\/[^/]+\//, '').split('/');
  const verb = { POST: 'create', PATCH: 'patch', DELETE: 'delete' }[method] ?? (name === undefined ? 'list' : 'get');
  return `${verb} ${part === undefined ? resource : `${resource}/${part}`}`;
}
