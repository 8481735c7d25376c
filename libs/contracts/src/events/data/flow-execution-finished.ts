import { Type, type Static } from '@sinclair/typebox';
import { defineData } from './define-data.ts';
import { choice, flag, integer, nullable, text, timestamp, uuid } from './fields.ts';

export const EvidenceReceiptSchema = Type.Object(
  {
    status: choice(['available', 'missing', 'expired', 'failed'], 'State of the evidence.'),
    transport: text('Where the evidence is stored.'),
    artifact_id: text('Id of the evidence.'),
    sha256: text('Digest of the archive, hexadecimal.'),
    manifest_sha256: text('Digest of the manifest, hexadecimal.'),
    size_bytes: integer('Size of the archive.'),
    retention_hours: integer('Number of hours for which the evidence is retained.'),
    object_lock: flag('Whether the store prevents changes to the archive.'),
    legal_hold: flag('Whether deletion is suspended.'),
    integrity_verified: flag('Whether the service read the stored archive and found that it matches its digest.'),
  },
  { description: 'Receipt of the captured evidence.' },
);
export type EvidenceReceipt = Static<typeof EvidenceReceiptSchema>;

export const flowExecutionFinished = defineData({
  fields: {
    execution_id: uuid('The execution.'),
    flow_id: uuid('The flow.'),
    flow_name: text('Name of the flow when it was triggered.'),
    status: choice(['SUCCEEDED', 'FAILED', 'STOPPED'], 'Terminal status.'),
    failure_category: nullable(text('Kind of failure; null on success.')),
    trigger_type: choice(['manual', 'webhook', 'tracker', 'schedule'], 'Trigger of the execution.'),
    started_at: nullable(timestamp('When a worker started the execution; null if no worker did.')),
    finished_at: timestamp('When the execution reached a terminal status.'),
    // This field is present only if the execution captured a result (EVT-11).
    evidence_receipt: Type.Optional(EvidenceReceiptSchema),
  },
  example: {
    execution_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b15',
    flow_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b16',
    flow_name: 'Review pull request',
    status: 'SUCCEEDED',
    failure_category: null,
    trigger_type: 'webhook',
    started_at: '2026-11-20T09:00:00.120Z',
    finished_at: '2026-11-20T09:02:41.000Z',
    evidence_receipt: {
      status: 'available',
      transport: 'local',
      artifact_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b17',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      manifest_sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
      size_bytes: 18_234,
      retention_hours: 720,
      object_lock: false,
      legal_hold: false,
      integrity_verified: true,
    },
  },
});
