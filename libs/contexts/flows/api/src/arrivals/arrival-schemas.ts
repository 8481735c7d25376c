import { Type } from '@sinclair/typebox';
import { nullable, type AnswerBody } from '@steward/http';
import { maskJson } from '@steward/masking';
import type { ArrivalRow } from '@steward/flows';

export const ArrivalAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  flow_id: Type.String({ format: 'uuid' }),
  received_at: Type.String({ format: 'date-time' }),
  outcome: Type.Union([Type.Literal('accepted'), Type.Literal('deduplicated'), Type.Literal('ignored')], {
    description: 'Whether the request started an execution, matched an earlier request, or was ignored.',
  }),
  reason: nullable(Type.String({ description: 'Why the request was ignored.' })),
  source: Type.Unknown({ description: 'The event as passed to the run: name, event, action, delivery_id, headers.' }),
  payload: Type.Unknown({
    description: 'Payload with credentials masked; null if it is larger than 128 KiB, in which case it is not stored.',
  }),
  execution_id: nullable(Type.String({ format: 'uuid' })),
  resent_from: nullable(
    Type.String({
      format: 'uuid',
      description: 'Id of the arrival that was processed again; null if the source itself sent the request.',
    }),
  ),
});

/**
 * Presents an arrival, masked for all readers: an arrival is only for inspection, and a run uses the original payload.
 */
export function presentArrival(arrival: ArrivalRow): AnswerBody<typeof ArrivalAnswer> {
  const { account_id: _account, ...shown } = arrival;
  return { ...shown, source: maskJson(arrival.source), payload: maskJson(arrival.payload) };
}
