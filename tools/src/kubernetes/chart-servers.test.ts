import { CHART, renderChart } from './render-chart.ts';
import { findSet as find, listPods, ofKind, readSet, SETS } from './rendered-sets.ts';

describe('the chart and the servers of a release', () => {
  it('provides the migration job with the settings of all apps, its own settings, the authorities and enough time', () => {
    const readVariables = (name: string) => {
      const { template } = listPods(find(name)).find(({ component }) => component === 'migrate')!;
      return Object.fromEntries(template.spec.containers[0]?.env?.map((one) => [one.name, one.value]) ?? []);
    };
    expect(readVariables('highly-available')).toMatchObject({
      LOG_LEVEL: 'info',
      DATABASE_WAIT_SECONDS: '1800',
      DATABASE_CA_FILE: '/etc/steward/authorities/database.pem',
      NATS_STREAM_REPLICAS: '3',
    });
    expect(readVariables('ingress')).toMatchObject({
      DATABASE_WAIT_SECONDS: '600',
      NATS_CA_FILE: '/etc/steward/authorities/nats.pem',
    });
    expect(readVariables('ingress')).not.toHaveProperty('DATABASE_DIRECT_URL_FILE');
    expect(readVariables('default')).not.toHaveProperty('DATABASE_CA_FILE');
  });

  it.each(SETS)('mounts in %s every file that a setting names, and defines the volume of every mount', (file) => {
    for (const { template } of listPods(readSet(file))) {
      const mounts = template.spec.containers[0]?.volumeMounts as {
        readonly name: string;
        readonly mountPath: string;
      }[];
      const files = (template.spec.containers[0]?.env ?? []).filter(({ name }) => name.endsWith('_FILE'));
      for (const { value } of files)
        expect(mounts.filter(({ mountPath }) => value.startsWith(`${mountPath}/`))).toHaveLength(1);
      const volumes = template.spec.volumes?.map(({ name }) => name);
      expect(volumes).toEqual(expect.arrayContaining(mounts.map(({ name }) => name)));
    }
  });

  it('allows connections to the pooler and to the trace collector only if the values contain them', () => {
    const listPorts = (name: string) =>
      ofKind(find(name), 'NetworkPolicy')
        .filter(({ metadata }) => metadata.name === 'steward-servers')
        .flatMap(({ spec }) => spec?.egress as { readonly ports: readonly { readonly port: number }[] }[])
        .flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(listPorts('default')).toEqual([53, 53, 5432, 4222]);
    expect(listPorts('ingress')).toEqual([53, 53, 5432, 6432, 4222]);
    expect(listPorts('highly-available')).toEqual([53, 53, 5432, 5432, 4222, 4318]);
  });

  it('lets the operator run a pooler for all apps, whose name is in the certificate of the servers', () => {
    const manifests = find('highly-available');
    const [pooler] = ofKind(manifests, 'Pooler');
    const [cluster] = ofKind(manifests, 'Cluster');
    expect(pooler?.spec).toMatchObject({
      cluster: { name: cluster?.metadata.name },
      instances: 3,
      type: 'rw',
      pgbouncer: { poolMode: 'transaction', parameters: { default_pool_size: '40', max_prepared_statements: '200' } },
    });
    const name = pooler?.metadata.name ?? '';
    expect(cluster?.spec?.certificates).toEqual({
      serverAltDNSNames: [name, `${name}.steward`, `${name}.steward.svc`],
    });
    const servers = ofKind(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'steward-servers');
    expect(JSON.stringify(servers?.spec)).toContain(`"cnpg.io/poolerName":"${name}"`);
    for (const { template, component } of listPods(manifests)) {
      const variables = template.spec.containers[0]?.env?.map((one) => one.name) ?? [];
      const expected = component !== 'migrate';
      expect([component, variables.includes('DATABASE_DIRECT_URL_FILE')]).toEqual([component, expected]);
      expect([component, variables.includes('DATABASE_NAMED_STATEMENTS')]).toEqual([component, expected]);
    }
  });

  it('does not name statements behind a pooler of the operator that keeps none', () => {
    const none = ['--set-string', 'postgres.cloudNativePg.pooler.parameters.max_prepared_statements=0'];
    const manifests = renderChart(`${CHART}/ci/highly-available-values.yaml`, none);
    expect(JSON.stringify(listPods(manifests))).not.toContain('DATABASE_NAMED_STATEMENTS');
  });

  it.each<[string, boolean, object[]]>([
    ['default', false, []],
    ['ingress', true, [{ to: [{ ipBlock: { cidr: '10.20.0.7/32' } }], ports: [{ protocol: 'TCP', port: 5433 }] }]],
    [
      'highly-available',
      true,
      [
        {
          to: [{ podSelector: { matchLabels: { 'cnpg.io/cluster': 'steward-postgres' } } }],
          ports: [{ protocol: 'TCP', port: 5432 }],
        },
      ],
    ],
  ])('lets in %s the gateway alone reach a standby for reads: %s', (name, isRead, rules) => {
    const manifests = find(name);
    const readers = listPods(manifests).filter(({ template }) =>
      template.spec.containers[0]?.env?.some((one) => one.name === 'DATABASE_READ_URL_FILE'),
    );
    expect(readers.map(({ component }) => component)).toEqual(isRead ? ['api-gateway'] : []);
    const gateway = ofKind(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'steward-api-gateway');
    expect(gateway?.spec?.egress).toEqual(expect.arrayContaining(rules));
    const servers = ['steward-servers', 'steward-migrate'];
    const others = ofKind(manifests, 'NetworkPolicy').filter(({ metadata }) => !servers.includes(metadata.name));
    const egress = JSON.stringify(others.map(({ spec }) => spec?.egress));
    expect(egress.match(/5433|cnpg\.io\/cluster/g) ?? []).toHaveLength(rules.length);
  });

  it('sets the sticky bit on /tmp, so that runs that share it can remove only their own files', () => {
    for (const { template, component } of listPods(find('default'))) {
      const commands = template.spec.initContainers?.map(({ command }) => command);
      expect([component, commands]).toEqual([
        component,
        component === 'flow-trigger' ? [['chmod', '1777', '/tmp']] : undefined,
      ]);
    }
    expect(listPods(find('namespaces')).flatMap(({ template }) => template.spec.initContainers ?? [])).toEqual([]);
  });
});
