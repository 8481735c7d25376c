import type { Logger } from '@steward/process';
import { createDeliverySummary } from './delivery-summary.ts';

it('summarizes attempts since the last line once, and logs nothing if there were none', () => {
  const lines: unknown[] = [];
  const logger = { info: (event: string, fields: unknown) => void lines.push([event, fields]) } as unknown as Logger;
  const summary = createDeliverySummary(logger);
  summary.write();
  summary.count('delivered', 10);
  summary.count('delivered', 20);
  summary.count('failed', 60);
  summary.write();
  summary.write();
  const fields = { delivered: 2, failed: 1, dead: 0, mean_duration_ms: 30, longest_duration_ms: 60 };
  expect(lines).toEqual([['deliveries.summarized', fields]]);
});
