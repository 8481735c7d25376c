import type { Probes } from '@steward/process';
import type { Module } from '../../module.ts';
import { createProbeRoutes } from './probe-health.ts';
import { createReadHealthRoute } from './read-health.ts';

export function createHealthModule({ probes }: { readonly probes: Probes }): Module {
  return { routes: [createReadHealthRoute(probes), ...createProbeRoutes(probes)], components: [] };
}
