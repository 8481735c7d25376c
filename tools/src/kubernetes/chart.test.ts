import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { MESSAGES } from '@steward/contracts';
import { fileVariable } from '@steward/process';
import { APP_ROLES } from '@steward/database';
import { parse } from 'yaml';
import { APP_SETTINGS } from '../app-settings.ts';
import { completeBrokerPasswords } from '../broker/broker-users.ts';
import { findSecretVariables } from '../check-containers/compose/secret-variables.ts';
import { COMPOSE_ADDRESSES, listDeploymentFiles } from '../keys/deployment-secrets.ts';
import { renderKubernetesSecrets } from '../keys/kubernetes-secrets.ts';
import { APPS, WORKSPACE_ROOT } from '../workspace.ts';
import { nameManifest, parseManifests, type Manifest } from './manifest.ts';
import { listPodSecurityProblems } from './pod-security.ts';
import { runProgram } from './programs.ts';
import { CHART, renderChart } from './render-chart.ts';
import { findSet as find, listPods, ofKind, readSet, SETS } from './rendered-sets.ts';
import { validateManifests } from './validate-manifest.ts';

const COMPONENT = 'app.kubernetes.io/component';
/** Returns the app whose image a component uses. */
const toApp = (component: string): (typeof APPS)[number] =>
  component === 'scheduler' || component === 'tool-servers' ? 'flow-trigger' : (component as (typeof APPS)[number]);
const matches = (selector: unknown, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries((selector as { readonly matchLabels: Record<string, string> }).matchLabels).every(
    ([key, value]) => labels[key] === value,
  );

describe('the Helm chart', () => {
  it('has five sets of values that helm lint accepts', () => {
    expect(SETS).toHaveLength(5);
    for (const file of SETS)
      expect(runProgram('helm', ['lint', '--strict', '--quiet', CHART, '--values', file])).toBe('');
  });

  it.each(SETS)('renders %s into objects that the schemas of their kinds accept, each once', async (file) => {
    const manifests = readSet(file);
    expect(await validateManifests(manifests)).toEqual([]);
    const names = manifests.map(nameManifest);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
    expect(manifests.filter(({ metadata }) => metadata.namespace !== 'steward')).toEqual([]);
    expect(listPods(manifests).map(({ component }) => component)).toEqual(expect.arrayContaining([...APPS, 'migrate']));
  });

  it.each(SETS)('gives each pod in %s an account without a token, a disruption budget and a network policy', (file) => {
    const manifests = readSet(file);
    const accounts = ofKind(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name);
    for (const { manifest, template } of listPods(manifests)) {
      expect(accounts).toContain(template.spec.serviceAccountName);
      // Flow workers that create pods for runs need access to the API of the cluster.
      const asksCluster = file.includes('ingress') && template.metadata.labels[COMPONENT] === 'flow-trigger';
      expect(template.spec.automountServiceAccountToken).toBe(asksCluster);
      if (manifest.kind !== 'Deployment') continue;
      expect(matches(manifest.spec?.selector, template.metadata.labels)).toBe(true);
      for (const kind of ['PodDisruptionBudget', ...(file.includes('small') ? [] : ['NetworkPolicy'])]) {
        const own = ofKind(manifests, kind).filter(({ metadata }) => metadata.name === manifest.metadata.name);
        expect([kind, own.length]).toEqual([kind, 1]);
        const selector = own[0]?.spec?.selector ?? own[0]?.spec?.podSelector;
        const selected = listPods(manifests).filter((pod) => matches(selector, pod.template.metadata.labels));
        expect(selected.map((pod) => pod.manifest.metadata.name)).toEqual([manifest.metadata.name]);
      }
    }
  });

  it.each(SETS)(
    'complies in %s with the restricted pod security standard, except flow workers that run agents themselves',
    (file) => {
      for (const { template, component } of listPods(readSet(file))) {
        const problems = listPodSecurityProblems(template.spec);
        const isExempt = ['flow-trigger', 'tool-servers'].includes(component) && !file.includes('ingress');
        const hasNamespaces = file.includes('namespaces');
        const exceptions = hasNamespaces ? ['has access to all of /proc'] : COMPOSE_EXCEPTIONS;
        expect([component, problems]).toEqual([component, isExempt ? exceptions : []]);
        expect('hostUsers' in template.spec).toBe(isExempt && hasNamespaces);
      }
    },
  );

  it.each(SETS)('sets in %s only variables that apps read, all required ones, and all secrets as files', (file) => {
    for (const { template, component } of listPods(readSet(file))) {
      if (component === 'migrate') continue;
      const given = new Map(template.spec.containers[0]?.env?.map(({ name, value }) => [name, value]));
      const settings = Object.values(APP_SETTINGS[toApp(component)]);
      const known = settings.flatMap(({ variable, secret }) => [variable, ...(secret ? [fileVariable(variable)] : [])]);
      expect([...given.keys()].filter((name) => !known.includes(name))).toEqual([]);
      expect(findSecretVariables([...given.keys()])).toEqual([]);
      const role = given.get('SERVICE_ROLE');
      const required = settings.filter(
        (one) => one.required && !(role === 'scheduler' && one.variable === 'FLOW_SECRET_KEY'),
      );
      expect(required.filter(({ variable }) => !given.has(variable) && !given.has(fileVariable(variable)))).toEqual([]);
    }
  });

  it.each(SETS)('refers in %s only to files of Secrets created by derive-keys or an ExternalSecret', (file) => {
    const manifests = readSet(file);
    const made = new Map(
      [...secrets, ...ofKind(manifests, 'ExternalSecret')].map((one) => [one.metadata.name, listKeys(one)]),
    );
    const renamed: Readonly<Record<string, string>> = {
      'gateway-login': 'steward-api-gateway',
      'owner-login': 'steward-migrate',
    };
    for (const { template } of listPods(manifests)) {
      const secret = template.spec.volumes?.find(({ name }) => name === 'secrets')?.secret?.secretName ?? '';
      const read = (template.spec.containers[0]?.env ?? []).flatMap(
        ({ value }) => /^\/run\/secrets\/steward\/(.+)$/.exec(value)?.[1] ?? [],
      );
      expect(made.get(renamed[secret] ?? secret)).toEqual(expect.arrayContaining(read));
    }
  });

  it.each(SETS)('uses in %s Helm hooks only for the resources that the migrations need', (file) => {
    const manifests = readSet(file);
    const hooks = manifests.filter(({ metadata }) => 'helm.sh/hook' in (metadata.annotations ?? {}));
    expect([...new Set(hooks.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/component']))]).toEqual([
      'migrate',
    ]);
    // Objects that the chart itself creates do not exist before the first installation.
    const brings = file.includes('highly-available');
    for (const { metadata } of hooks)
      expect(metadata.annotations?.['helm.sh/hook']).toBe(`${brings ? 'post' : 'pre'}-install,pre-upgrade`);
  });

  it('scales by every consumer of the catalog, and only flow workers can be scaled to zero', () => {
    const scaled = ofKind(find('highly-available'), 'ScaledObject');
    const consumers = scaled.flatMap(({ spec }) =>
      (spec?.triggers as { type: string; metadata: Record<string, string> }[])
        .filter(({ type }) => type === 'nats-jetstream')
        .map(({ metadata }) => [metadata.stream, metadata.consumer]),
    );
    const catalogue = Object.values(MESSAGES).map(({ stream, consumer }) => [stream, consumer.durable]);
    expect(consumers.sort()).toEqual(catalogue.sort());
    expect(scaled.filter(({ spec }) => spec?.minReplicaCount === 0).map(({ metadata }) => metadata.name)).toEqual([
      'steward-flow-trigger',
    ]);
    const logins = scaled.flatMap(({ spec }) =>
      (spec?.triggers as { type: string; metadata: Record<string, string> }[])
        .filter(({ type }) => type === 'postgresql')
        .map(({ metadata: { host, userName, dbName } }) => `${userName}@${host}/${dbName}`),
    );
    // KEDA shares one pool of connections between triggers that have the same connection.
    expect(logins.sort()).toEqual(
      [APP_ROLES.flowTrigger, APP_ROLES.searchIndexer, APP_ROLES.webhookDispatcher]
        .map((role) => `${role}@steward.steward/steward`)
        .sort(),
    );
    for (const [app, more] of [
      ['webhook-dispatcher', []],
      ['flow-trigger', ['--set', 'apps.scheduler.enabled=false']],
    ] as const) {
      const none = ['--set', `apps.${app}.autoscaling.minReplicas=0`, ...more];
      expect(() => renderChart(`${CHART}/ci/highly-available-values.yaml`, none)).toThrow(/minReplicas/);
    }
  });

  it('does not set the number of pods if an autoscaler controls it', () => {
    const replicas = (name: string) =>
      Object.fromEntries(ofKind(find(name), 'Deployment').map(({ metadata, spec }) => [metadata.name, spec?.replicas]));
    expect(replicas('highly-available')).toMatchObject({ 'steward-backfill-sweeper': 1, 'steward-scheduler': 2 });
    for (const app of ['api-gateway', 'search-indexer', 'webhook-dispatcher', 'flow-trigger'])
      expect(replicas('highly-available')[`steward-${app}`]).toBeUndefined();
    expect(replicas('default')).toMatchObject({ 'steward-flow-trigger': 1, 'steward-webhook-dispatcher': 2 });
  });

  it.each([
    ['a value that it does not know', 'apps.api-gateway.replica=2'],
    ['a setting that is no text', 'settings.LOG_LEVEL=1'],
    ['three copies of a stream in a cluster of four', 'nats.streamReplicas=4'],
    ['a bucket without its address', 'evidence.store=s3'],
    ['an export of the audit log without the address of its bucket', 'auditExport.enabled=true'],
    ['content in a bucket without its address', 'sessionContent.enabled=true'],
    ['namespaces with the profile of the runtime, which forbids them', 'flows.separation=namespaces'],
    ['programs of tool servers where runs are pods', 'flows.runner=kubernetes,apps.tool-servers.enabled=true'],
    ['KEDA without the monitoring of the broker', 'keda.enabled=true'],
  ])('refuses %s', (_what, value) => {
    expect(() => renderChart(`${CHART}/ci/default-values.yaml`, ['--set', value])).toThrow(/helm template/);
  });

  it('includes the alerts of deploy/monitoring, with the operator’s runbook URLs', () => {
    const [rule] = ofKind(find('highly-available'), 'PrometheusRule');
    const text = JSON.stringify(rule);
    expect(text).toContain('https://runbooks.example.com/steward/lost-worker.md');
    expect(text).not.toContain('OWNER');
    expect(text.match(/runbook_url/g)?.length).toBeGreaterThan(20);
  });

  it('describes each of its values and its default', () => {
    const read = (name: string): string => readFileSync(resolve(WORKSPACE_ROOT, CHART, name), 'utf8');
    const undescribed: string[] = [];
    const walk = (path: string, schema: Schema, value: unknown): void => {
      if ((schema.description ?? '') === '') undescribed.push(path);
      for (const [name, part] of Object.entries(schema.properties ?? {})) {
        // Kubernetes refuses `minAvailable` together with `maxUnavailable`, and a profile of the nodes has no default.
        if (['minAvailable', 'localhostProfile'].includes(name)) continue;
        const child = (value as Record<string, unknown> | undefined)?.[name];
        if (child === undefined) undescribed.push(`${path}.${name} has no default`);
        else walk(`${path}.${name}`, part, child);
      }
    };
    const schema = JSON.parse(read('values.schema.json')) as Schema;
    const values = parse(read('values.yaml')) as Record<string, unknown>;
    for (const [name, value] of Object.entries(values)) walk(name, schema.properties?.[name] ?? {}, value);
    expect(undescribed).toEqual([]);
  });

  it('has the version of the suite', () => {
    const { version } = JSON.parse(readFileSync(resolve(WORKSPACE_ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    const chart = parse(readFileSync(resolve(WORKSPACE_ROOT, CHART, 'Chart.yaml'), 'utf8')) as Record<string, string>;
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });
});

describe('the manifests for Kustomize', () => {
  it('are built by Kustomize into objects that the schemas accept, each once', async () => {
    const manifests = parseManifests(runProgram('kubectl', ['kustomize', 'deploy/kustomize/base']));
    expect(await validateManifests(manifests)).toEqual([]);
    expect(manifests.map(nameManifest).sort()).toEqual(find('default').map(nameManifest).sort());
    expect(JSON.stringify(manifests)).not.toMatch(/helm/i);
  });
});

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Exceptions, the same as in docker-compose.yml (docs/operate/agents-apart.md). */
const COMPOSE_EXCEPTIONS = [
  'runs as root',
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'SETGID', 'SETPCAP', 'SETUID'].map((name) => `has ${name}`),
];

const secrets = parseManifests(
  renderKubernetesSecrets(
    'steward',
    listDeploymentFiles(
      {
        secretKey: 'a-secret-key-for-tests-only-0123456789',
        previousSecretKeys: [],
        postgresPassword: 'p',
        rolePasswords: Object.fromEntries(Object.values(APP_ROLES).map((role) => [role, 'p'])),
        brokerPasswords: completeBrokerPasswords(),
        evidenceKey: { id: 'i', secret: 's' },
        auditExportKey: { id: 'i', secret: 's' },
        contentKey: { id: 'i', secret: 's' },
      },
      { ...COMPOSE_ADDRESSES, pooler: 'pooler:6432/steward', replica: 'standby:5432/steward' },
    ),
  ),
);

function listKeys(one: Manifest): string[] {
  if (one.kind === 'Secret') return Object.keys((one as unknown as { readonly stringData: object }).stringData);
  return (one.spec?.data as { readonly secretKey: string }[]).map(({ secretKey }) => secretKey);
}
