import { validateManifest } from './validate-manifest.ts';
import type { Manifest } from './manifest.ts';

const pod = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'x', image: 'x', ports: [{ containerPort: 80 }] }] },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x', labels: { any: 'label' } },
  spec: { selector: { matchLabels: { app: 'x' } }, template: pod },
};
const withSpec = (spec: object): Manifest => ({ ...deployment, spec: { ...deployment.spec, ...spec } });

describe('the validation of a manifest against its schema', () => {
  it('finds no error in a valid manifest, with any labels', async () => {
    expect(await validateManifest(deployment)).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['a value of a wrong type', { replicas: 'two' }, /spec\/replicas must be integer/],
    ['a missing field', { selector: undefined }, /selector/],
    ['a field that no schema knows', { replica: 2 }, /^\/spec\/replica is no field of Deployment$/],
    [
      'such a field of a container',
      { template: { ...pod, spec: { containers: [{ name: 'x', image: 'x', resorces: {} }] } } },
      /^\/spec\/template\/spec\/containers\/0\/resorces is no field/,
    ],
  ])('finds %s', async (_what, spec, message) => {
    expect(await validateManifest(withSpec(spec))).toEqual([expect.stringMatching(message)]);
  });

  it('also finds an error in a custom resource', async () => {
    const scaled = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name: 'x' } };
    const spec = { scaleTargetRef: { name: 'x' }, triggers: [{ type: 'cron', metadata: { any: 'thing' } }] };
    expect(await validateManifest({ ...scaled, spec })).toEqual([]);
    expect(await validateManifest({ ...scaled, spec: { ...spec, minReplicas: 1 } })).toEqual([
      '/spec/minReplicas is no field of ScaledObject',
    ]);
  });

  it('refuses a kind without a schema', async () => {
    expect(await validateManifest({ ...deployment, apiVersion: 'apps/v1beta1' })).toEqual([
      'apps/v1beta1 Deployment has no schema here',
    ]);
    expect(await validateManifest({ ...deployment, kind: 'Deploiment' })).toEqual([
      'apps/v1 Deploiment has no schema here',
    ]);
  });
});
