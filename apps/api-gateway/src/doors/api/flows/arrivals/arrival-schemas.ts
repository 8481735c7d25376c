import { Type } from '@sinclair/typebox';
import { nullable, type AnswerBody } from '@steward/http';
import { maskJson } from '@steward/masking';
import type { ArrivalRow } from '@steward/slice-flows';

export const ArrivalAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  flow_id: Type.String({ format: 'uuid' }),
  received_at: Type.String({ format: 'date-time' }),
  outcome: Type.Union([Type.Literal('accepted'), Type.Literal('deduplicated'), Type.Literal('ignored')], {
    description: 'Whether it started a run, was answered by an earlier one, or started nothing.',
  }),
  reason: nullable(Type.String({ description: 'Why it was ignored.' })),
  source: Type.Unknown({ description: 'As a run is told it: name, event, action, delivery_id, headers.' }),
  payload: Type.Unknown({ description: 'With credentials masked; null of one above 128 KiB, which is not kept.' }),
  execution_id: nullable(Type.String({ format: 'uuid' })),
  resent_from: nullable(Type.String({ format: 'uuid', description: 'The arrival that was sent again.' })),
});

/** Masked for everybody: an arrival is looked at, a run works with the payload. */
export function presentArrival(arrival: ArrivalRow): AnswerBody<typeof ArrivalAnswer> {
  const { account_id: _account, ...shown } = arrival;
  return { ...shown, source: maskJson(arrival.source), payload: maskJson(arrival.payload) };
}
