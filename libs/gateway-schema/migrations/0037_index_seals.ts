import { createIndexOnline, type SliceMigration } from '@steward/database';

/** Finds seals that are older than the retention of the audit log. */
export const indexSeals: SliceMigration = {
  isOnline: true,
  up: (db) =>
    createIndexOnline(db, {
      schema: 'gateway',
      name: 'audit_seal_sealed_at_idx',
      definition: 'on gateway.audit_seal (sealed_at)',
    }),
};
