import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { MAX_URL_LENGTH } from '@steward/slice-webhooks';

const time = (description: string) => Type.String({ format: 'date-time', description });
const id = (description: string) => Type.String({ format: 'uuid', description });

export const EndpointParams = Type.Object({ endpoint_id: id('The endpoint.') });
export const DeliveryParams = Type.Object({ delivery_id: id('The delivery.') });
export const EventParams = Type.Object({ event_id: id('The event.') });

const url = Type.String({
  // Its length is checked with the rest of it, so that every bad URL has one code.
  description: `Receiver URL: absolute http or https, at most ${MAX_URL_LENGTH} characters, without credentials and fragment.`,
});
const description = Type.String({ maxLength: 500, description: 'Free label.' });
const eventTypes = Type.Array(Type.String(), {
  description: 'Event types to receive; empty means every v1 event. See the catalogue.',
});

export const CreateEndpointBody = Type.Object(
  { url, description: Type.Optional(description), event_types: Type.Optional(eventTypes) },
  { additionalProperties: false },
);

export const UpdateEndpointBody = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    event_types: Type.Optional(eventTypes),
    active: Type.Optional(
      Type.Boolean({ description: 'Off holds deliveries back; on sends what was held and closes the breaker.' }),
    ),
  },
  { additionalProperties: false },
);

export const RotateSecretBody = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 0,
        description: 'How long the old secret signs beside the new one.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const EmptyBody = Type.Object({}, { additionalProperties: false });

const endpointFields = {
  id: id('The endpoint.'),
  url: Type.String({ description: 'Receiver URL.' }),
  description: Type.String({ description: 'Free label.' }),
  event_types: Type.Array(Type.String(), { description: 'Empty means every v1 event.' }),
  active: Type.Boolean({ description: 'Whether deliveries go out; while off they are held.' }),
  source: Type.Union([Type.Literal('account'), Type.Literal('approval_workflow')]),
  secret_hint: nullable(Type.String(), 'Last four characters of the secret.'),
  circuit_state: Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('half_open')]),
  circuit_open_until: nullable(time(''), 'No attempts before this moment.'),
  consecutive_failures: Type.Integer(),
  refusal_reason: nullable(Type.String(), 'Why events are refused at present.'),
  refused_at: nullable(time(''), 'When an event was refused.'),
  last_delivery_status: nullable(Type.String(), 'delivered, failed (will be retried) or dead.'),
  last_delivery_at: nullable(time(''), 'When the last attempt ended.'),
  last_response_status: nullable(Type.Integer(), 'Status the receiver answered last.'),
  last_error: nullable(Type.String(), 'Short error of the last attempt.'),
  created_at: time('When it was registered.'),
  updated_at: time('When it was changed last.'),
};

export const EndpointAnswer = Type.Object(endpointFields);
export const EndpointWithSecret = Type.Object({
  ...endpointFields,
  secret: Type.String({ description: 'Shown once, in this answer only.' }),
});

const status = Type.Union(
  [Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('dead'), Type.Literal('cancelled')],
  { description: 'State of the delivery.' },
);

const deliveryFields = {
  id: id('The delivery.'),
  event_id: id('The event; the same on every retry and replay.'),
  event_type: Type.String(),
  endpoint_id: id('The endpoint.'),
  generation: Type.Integer({ description: '1, and one more for every replay.' }),
  status,
  attempt_count: Type.Integer(),
  next_attempt_at: nullable(time(''), 'When the next attempt is due; null once finished.'),
  occurred_at: time('When the fact happened.'),
  created_at: time('When the delivery was queued.'),
  delivered_at: nullable(time(''), 'When the receiver accepted it.'),
  response_status: nullable(Type.Integer(), 'Status of the last attempt.'),
  last_error: nullable(Type.String(), 'Short error of the last attempt.'),
};

export const DeliveryAnswer = Type.Object(deliveryFields);

const milliseconds = (what: string) =>
  nullable(Type.Integer(), `Milliseconds ${what}; null when there was no such step.`);

const circuitState = Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('half_open')]);

export const DeliveryWithAttempts = Type.Object({
  ...deliveryFields,
  held_because: nullable(
    Type.Union([Type.Literal('endpoint_inactive'), Type.Literal('breaker_open')]),
    'Why it waits although it may be due; null when nothing holds it.',
  ),
  held_until: nullable(time(''), 'When the breaker lets a probe through; null when nobody can tell.'),
  breaker_history: Type.Array(
    Type.Object({
      at: time('When the breaker moved.'),
      from: circuitState,
      to: circuitState,
      reason: Type.Union(
        [
          Type.Literal('failures'),
          Type.Literal('cooldown_over'),
          Type.Literal('probe_succeeded'),
          Type.Literal('probe_failed'),
          Type.Literal('endpoint_changed'),
        ],
        { description: 'What moved it.' },
      ),
      consecutive_failures: Type.Integer({ description: 'Failures in a row after the move.' }),
    }),
    { description: 'Moves of the breaker while the delivery lived, oldest first, after the one that led into it.' },
  ),
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer({ description: '1-based.' }),
      started_at: time('When the attempt began.'),
      duration_ms: Type.Integer({ description: 'Up to the status line or the error.' }),
      dns_ms: milliseconds('of name resolution'),
      connect_ms: milliseconds('of opening the connection'),
      tls_ms: milliseconds('of the TLS handshake'),
      first_byte_ms: milliseconds('until the status line'),
      response_status: nullable(Type.Integer(), 'Status the receiver answered.'),
      error: nullable(Type.String(), 'Short error.'),
      error_class: nullable(Type.String(), 'Why it failed, as a word.'),
      remote_address: nullable(Type.String(), 'Address that was connected to.'),
      next_attempt_at: nullable(time(''), 'When the attempt after this one was put down for; null after the last.'),
      probe: Type.Boolean({ description: 'The one attempt let through by a half-open breaker.' }),
    }),
  ),
});

export const DeliveryFilters = {
  endpoint_id: Type.Optional(id('Only deliveries to this endpoint.')),
  event_id: Type.Optional(id('Only deliveries of this event.')),
  event_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this event type.' })),
  since: Type.Optional(time('Created at or after this moment.')),
  until: Type.Optional(time('Created before this moment.')),
};
export const DeliveryStatusFilter = { status: Type.Optional(status) };

export const TestSendAnswer = Type.Object({ event_id: id('The test event.'), delivery_ids: Type.Array(id('')) });
export const ReplayAnswer = Type.Object({
  event_id: id('The event.'),
  delivery_ids: Type.Array(id('')),
  queued: Type.Integer({ description: 'Deliveries queued.' }),
  skipped: Type.Array(id(''), { description: 'Endpoints that are inactive or deleted now.' }),
});

export const EventAnswer = Type.Object({
  id: id('The event.'),
  type: Type.String(),
  occurred_at: time('When the fact happened.'),
  created_at: time('When it was stored to be sent.'),
  headers: Type.Record(Type.String(), Type.String(), { description: 'Those that every attempt has.' }),
  body: Type.String({ description: 'Byte for byte as it is signed and sent, in UTF-8.' }),
});

export const RecoveryParams = Type.Object({ recovery_id: id('The recovery.') });
export const RecoverBody = Type.Object(
  {
    endpoint_id: Type.Optional(id('Only deliveries to this endpoint.')),
    since: time('Deliveries created at or after this moment.'),
    until: Type.Optional(time('Deliveries created before this moment; now when left out.')),
    status: Type.Optional(Type.Literal('dead', { description: 'Only dead deliveries can be recovered.' })),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Only count.' })),
  },
  { additionalProperties: false },
);
const recovered = {
  matched: Type.Integer({ description: 'Dead deliveries found that were not replayed or recovered before.' }),
};
export const RecoverAnswer = Type.Object({
  ...recovered,
  queued: Type.Integer({ description: 'Those that are sent again: their endpoint is active. 0 on a dry run.' }),
  recovery_id: nullable(Type.String({ format: 'uuid' }), 'Where to read the progress; null when nothing is queued.'),
});
export const RecoveryAnswer = Type.Object({
  id: id('The recovery.'),
  endpoint_id: nullable(Type.String({ format: 'uuid' }), 'The endpoint it is limited to.'),
  since: time('Deliveries created at or after this moment.'),
  until: time('Deliveries created before this moment.'),
  status: Type.Union([Type.Literal('running'), Type.Literal('finished')]),
  ...recovered,
  queued: Type.Integer({ description: 'Deliveries queued so far.' }),
  skipped: nullable(
    Type.Integer(),
    'Deliveries passed over because their endpoint is not active or they were sent again meanwhile; null while running.',
  ),
  created_at: time('When it was asked for.'),
  finished_at: nullable(time(''), 'When the last batch was queued.'),
});

export const CatalogueAnswer = Type.Object({
  version: Type.String(),
  event_types: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      data_schema: Type.Unknown({
        description: 'JSON Schema of `data`. Keys may be added later: ignore unknown ones.',
      }),
      example: Type.Unknown({ description: 'A `data` object.' }),
    }),
  ),
  signature_header: Type.String(),
  headers: Type.Record(Type.String(), Type.String(), { description: 'Every header with what it carries.' }),
  tolerance_seconds: Type.Integer(),
  max_attempts: Type.Integer(),
  retry_delays_seconds: Type.Array(Type.Integer()),
  timeout_seconds: Type.Number({ description: 'Time one attempt may take; then it has failed.' }),
  success: Type.String(),
});
