import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setting } from '@steward/runtime';

/** Settings of every process that writes or serves evidence. */
export const evidenceSettings = {
  evidenceDirectory: setting.text('EVIDENCE_DIR', {
    default: resolve(tmpdir(), 'steward-evidence'),
    description: 'Folder of captured evidence. Gateway and flow workers share it; give it a lasting volume.',
  }),
} as const;
