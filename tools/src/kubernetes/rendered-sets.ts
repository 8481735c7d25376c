import { globSync } from 'node:fs';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { readPodTemplate, type Manifest, type PodTemplate } from './manifest.ts';
import { CHART, renderChart } from './render-chart.ts';

/** Paths of sets of values for rendering the chart, at the location where Helm's own tools expect them. */
export const SETS = globSync(`${CHART}/ci/*-values.yaml`, { cwd: WORKSPACE_ROOT }).sort();

const rendered = new Map<string, Manifest[]>();

/** Renders the chart with a set of values, only once in each process. */
export function readSet(file: string): readonly Manifest[] {
  const manifests = rendered.get(file) ?? renderChart(file);
  rendered.set(file, manifests);
  return manifests;
}

export function findSet(name: string): readonly Manifest[] {
  return readSet(`${CHART}/ci/${name}-values.yaml`);
}

export interface RenderedPod {
  readonly manifest: Manifest;
  readonly template: PodTemplate;
  readonly component: string;
}

export function listPods(manifests: readonly Manifest[]): RenderedPod[] {
  return manifests.flatMap((manifest) => {
    const template = readPodTemplate(manifest);
    const component = template?.metadata.labels['app.kubernetes.io/component'] ?? '';
    return template === undefined ? [] : [{ manifest, template, component }];
  });
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}
