import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { WORKSPACE_ROOT } from '../workspace.ts';

interface Service {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly mem_limit?: string;
  readonly cap_drop?: readonly string[];
}

const read = <T>(file: string): T => parse(readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8'), { merge: true }) as T;
const { services, volumes } = read<{
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}>('docker-compose.yml');
const profile = Object.entries(services).filter(([, one]) => one.profiles?.includes('monitoring') === true);

/** Paths inside the container of a service, with the source of each. */
const listMounts = (name: string): ReadonlyMap<string, string> =>
  new Map(
    (services[name]?.volumes ?? []).map((text) => {
      const [source = '', target = ''] = text.split(':');
      return [target, source];
    }),
  );

describe('docker compose --profile monitoring', () => {
  it('starts Prometheus, Grafana and the collector, each of a fixed version', () => {
    expect(profile.map(([name]) => name)).toEqual(['prometheus', 'grafana', 'collector']);
    for (const [, { image }] of profile) expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
  });

  it('mounts only files that exist, read-only, and volumes that are defined', () => {
    for (const [name, { volumes: mounts = [] }] of profile)
      for (const mount of mounts) {
        const [source = '', , mode] = mount.split(':');
        if (source.startsWith('./'))
          expect([name, source, existsSync(resolve(WORKSPACE_ROOT, source)), mode]).toEqual([name, source, true, 'ro']);
        else expect([name, Object.keys(volumes).includes(source)]).toEqual([name, true]);
      }
  });

  it('restricts the containers, and publishes only Grafana, on this machine', () => {
    for (const [name, { mem_limit: memory, cap_drop: dropped, ports = [] }] of profile) {
      expect([name, memory !== undefined, dropped]).toEqual([name, true, ['ALL']]);
      expect(ports).toEqual(name === 'grafana' ? ['127.0.0.1:${GRAFANA_PORT:-3000}:3000'] : []);
    }
  });

  it('gives Prometheus the rules, and every app as a target', () => {
    const { rule_files: rules, scrape_configs: scraped } = read<{
      readonly rule_files: readonly string[];
      readonly scrape_configs: readonly { readonly dns_sd_configs: readonly { readonly names: readonly string[] }[] }[];
    }>('deploy/monitoring/prometheus.yaml');
    const mounts = listMounts('prometheus');
    for (const rule of rules) {
      const [folder = '', file = ''] = [rule.slice(0, rule.lastIndexOf('/')), rule.slice(rule.lastIndexOf('/') + 1)];
      expect(existsSync(resolve(WORKSPACE_ROOT, mounts.get(folder) ?? '', file))).toBe(true);
    }
    expect(services.prometheus?.command).toContain('--config.file=/etc/prometheus/prometheus.yaml');
    const names = scraped.flatMap(({ dns_sd_configs: found }) => found.flatMap((one) => one.names));
    const apps = Object.entries(services).flatMap(([name, { environment = {} }]) =>
      'DATABASE_URL_FILE' in environment && 'NATS_URL_FILE' in environment && name !== 'migrate' ? [name] : [],
    );
    expect(names.toSorted()).toEqual(apps.toSorted());
  });

  it('gives Grafana its data source and the boards', () => {
    const mounts = listMounts('grafana');
    const { providers } = read<{ readonly providers: readonly { readonly options: { readonly path: string } }[] }>(
      'deploy/monitoring/grafana/provisioning/dashboards/steward.yaml',
    );
    for (const { options } of providers) expect([...mounts.keys()]).toContain(options.path);
    const home = services.grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? '';
    expect(
      existsSync(resolve(WORKSPACE_ROOT, 'deploy/monitoring/grafana/dashboards', home.split('/').at(-1) ?? '')),
    ).toBe(true);
    const { datasources } = read<{ readonly datasources: readonly { readonly url: string }[] }>(
      'deploy/monitoring/grafana/provisioning/datasources/prometheus.yaml',
    );
    expect(datasources.map(({ url }) => new URL(url).hostname)).toEqual(['prometheus']);
  });

  it('gives the collector pipelines of parts that it defines, which send to Prometheus', () => {
    const config = read<{
      readonly [kind: string]: Readonly<Record<string, { readonly endpoint?: string } | null>>;
    }>('deploy/monitoring/collector.yaml');
    const { pipelines } = config.service as unknown as {
      readonly pipelines: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
    };
    for (const pipeline of Object.values(pipelines))
      for (const [kind, parts] of Object.entries(pipeline))
        for (const part of parts) expect(Object.keys(config[kind] ?? {})).toContain(part);
    expect(config.exporters?.['otlphttp/prometheus']?.endpoint).toBe('http://prometheus:9090/api/v1/otlp');
    expect(services.prometheus?.command).toContain('--web.enable-otlp-receiver');
    expect(listMounts('collector').has('/etc/otelcol/collector.yaml')).toBe(true);
    expect(services.collector?.command).toBe('--config=/etc/otelcol/collector.yaml');
  });
});
