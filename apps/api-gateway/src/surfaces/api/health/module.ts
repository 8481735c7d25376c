import { tagRoutes } from '@steward/http';
import type { Probes } from '@steward/process';
import type { Module } from '@steward/api';
import { createProbeRoutes } from './probe-health.ts';
import { createReadHealthRoute } from './read-health.ts';

export function createHealthModule({ probes }: { readonly probes: Probes }): Module {
  return { routes: tagRoutes('health', [createReadHealthRoute(probes), ...createProbeRoutes(probes)]), components: [] };
}
