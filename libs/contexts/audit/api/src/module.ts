import { tagRoutes } from '@steward/http';
import type { AnyDatabase } from '@steward/database';
import type { Module } from '@steward/api';
import { createListAuditLogRoute } from './list-audit-log.ts';

export function createAuditModule(deps: { readonly db: AnyDatabase }): Module {
  return { routes: tagRoutes('audit log', [createListAuditLogRoute(deps)]), components: [] };
}
