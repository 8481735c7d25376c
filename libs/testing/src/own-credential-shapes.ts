import type { createShapeWriter } from './shape-writer.ts';

/** Credentials that this service itself issues: keys, tokens, and addresses that are credentials (MASK-14). */
export function addOwnShapes({ add, token, b62, u64, uuid }: ReturnType<typeof createShapeWriter>): void {
  token('steward api key', 'stw' + '_', b62(43));
  token('steward flow secret', 'flw' + '_', u64(43));
  for (const kind of ['run', 'rt', 'bs', 'inv']) token(`steward ${kind} token`, `stw_${kind}_`, u64(43));
  add('flow address', `flw_${u64(43)}`, (value) => `https://steward.example.com/webhooks/flows/${uuid()}/${value}`);
  add(
    'flow address with another secret',
    u64(20),
    (value) => `POST /api/v1/webhooks/flows/${uuid()}/${value} HTTP/1.1`,
  );
  add(
    'flow address in a parameter',
    u64(20),
    (value) => `next=https%3A%2F%2Fx.example.com%2Fwebhooks%2Fflows%2F${uuid()}%2F${value}`,
  );
  add('approval link', u64(43), (value) => `<https://steward.example.com/approval/${value}>`);
  add('approval link in a parameter', u64(43), (value) => `?url=https%3A%2F%2Fx.example.com%2Fapproval%2F${value}&x=1`);
  add('invitation', u64(43), (value) => `https://steward.example.com/accept-invitation#${value}`);
}
