import { Type } from '@sinclair/typebox';
import { nullable } from '@steward/http';
import { MAX_GROUP_LENGTH, MAX_URL_LENGTH } from '@steward/webhooks';

const time = (description: string) => Type.String({ format: 'date-time', description });
const id = (description: string) => Type.String({ format: 'uuid', description });

export const EndpointParams = Type.Object({ endpoint_id: id('The endpoint.') });
export const DeliveryParams = Type.Object({ delivery_id: id('The delivery.') });
export const EventParams = Type.Object({ event_id: id('The event.') });

const url = Type.String({
  // The length of the URL is checked elsewhere, with its other properties, so that every invalid URL results in the
  // same error code.
  description: `URL of the endpoint: absolute http or https, at most ${MAX_URL_LENGTH} characters, without credentials or fragment.`,
});
const description = Type.String({ maxLength: 500, description: 'Optional description.' });
const group = Type.String({
  minLength: 1,
  maxLength: MAX_GROUP_LENGTH,
  description: 'Group of endpoints, for example those of one customer; a portal link gives access to one group.',
});
const eventTypes = Type.Array(Type.String(), {
  description: 'Event types to receive; empty means every v1 event. See the catalog.',
});

const keepAnswers = Type.Boolean({
  description: 'Whether the first KiB of the receiver’s response to each attempt is stored, with credentials masked.',
});

export const CreateEndpointBody = Type.Object(
  {
    url,
    description: Type.Optional(description),
    group: Type.Optional(nullable(group, 'Group of endpoints; null for none.')),
    event_types: Type.Optional(eventTypes),
    keep_answers: Type.Optional(keepAnswers),
  },
  { additionalProperties: false },
);

export const UpdateEndpointBody = Type.Object(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    group: Type.Optional(nullable(group, 'Group of endpoints; null removes the endpoint from its group.')),
    event_types: Type.Optional(eventTypes),
    active: Type.Optional(
      Type.Boolean({
        description:
          'If false, deliveries are held. If true, the held deliveries are sent and the circuit breaker is closed.',
      }),
    ),
    keep_answers: Type.Optional(keepAnswers),
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
        description: 'Seconds during which deliveries are also signed with the old secret.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ReplayBody = Type.Object(
  {
    endpoint_id: Type.Optional(
      id(
        'Id of the only endpoint to which the event is sent; the endpoint must have received the event before. Default: every endpoint that received the event.',
      ),
    ),
  },
  { additionalProperties: false },
);

export const TestSendBody = Type.Object(
  {
    event_type: Type.Optional(
      Type.String({ description: 'Event type whose example from the catalog is sent. Default: webhook.test.' }),
    ),
  },
  { additionalProperties: false },
);

const endpointFields = {
  id: id('The endpoint.'),
  url: Type.String({ description: 'Receiver URL.' }),
  description: Type.String({ description: 'Optional description.' }),
  group: nullable(Type.String(), 'Group of endpoints for which portal links can be created.'),
  event_types: Type.Array(Type.String(), { description: 'Empty means every v1 event.' }),
  active: Type.Boolean({ description: 'Whether deliveries are sent; if false, they are held.' }),
  keep_answers: keepAnswers,
  source: Type.Union([Type.Literal('account'), Type.Literal('approval_workflow')]),
  secret_hint: nullable(Type.String(), 'Last four characters of the secret.'),
  circuit_state: Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('half_open')]),
  circuit_open_until: nullable(time(''), 'No attempt is made before this time.'),
  consecutive_failures: Type.Integer(),
  refusal_reason: nullable(Type.String(), 'Why the service currently refuses new events for this endpoint.'),
  refused_at: nullable(time(''), 'When an event was last refused, to the minute; null if refusal_reason is null.'),
  last_delivery_status: nullable(Type.String(), 'delivered, failed (will be retried) or dead.'),
  last_delivery_at: nullable(time(''), 'When the last attempt ended.'),
  last_response_status: nullable(Type.Integer(), 'HTTP status of the last attempt; null if there was no response.'),
  last_error: nullable(Type.String(), 'Short description of the error of the last attempt.'),
  created_at: time('When the endpoint was registered.'),
  updated_at: time('When the endpoint was last changed.'),
};

export const EndpointAnswer = Type.Object(endpointFields);
export const EndpointWithSecret = Type.Object({
  ...endpointFields,
  secret: Type.String({ description: 'Signing secret, returned only in this response.' }),
});

const status = Type.Union(
  [Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('dead'), Type.Literal('cancelled')],
  { description: 'State of the delivery.' },
);

const deliveryFields = {
  id: id('The delivery.'),
  event_id: id('Id of the event; the same on every retry and replay.'),
  event_type: Type.String(),
  endpoint_id: id('The endpoint.'),
  generation: Type.Integer({ description: '1 for original deliveries; each replay or recovery has the next number.' }),
  status,
  attempt_count: Type.Integer(),
  next_attempt_at: nullable(time(''), 'When the next attempt is due; null once the delivery is finished.'),
  occurred_at: time('When the event happened.'),
  created_at: time('When the delivery was queued.'),
  delivered_at: nullable(time(''), 'When the endpoint accepted the delivery.'),
  response_status: nullable(Type.Integer(), 'HTTP status of the last attempt.'),
  last_error: nullable(Type.String(), 'Short description of the error of the last attempt.'),
};

export const DeliveryAnswer = Type.Object(deliveryFields);

const milliseconds = (what: string) =>
  nullable(Type.Integer(), `Milliseconds ${what}; null if this step did not happen.`);

const circuitState = Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('half_open')]);

export const DeliveryWithAttempts = Type.Object({
  ...deliveryFields,
  held_because: nullable(
    Type.Union([Type.Literal('endpoint_inactive'), Type.Literal('breaker_open')]),
    'Why the delivery is held although it may be due; null if it is not held.',
  ),
  held_until: nullable(time(''), 'When the breaker allows a probe; null if unknown.'),
  breaker_history: Type.Array(
    Type.Object({
      at: time('When the breaker changed.'),
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
        { description: 'Cause of the change.' },
      ),
      consecutive_failures: Type.Integer({ description: 'Consecutive failures after the change.' }),
    }),
    {
      description:
        'State changes of the circuit breaker during the lifetime of the delivery, oldest first, preceded by the last change before the delivery was created.',
    },
  ),
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer({ description: 'Number of the attempt, starting at 1.' }),
      started_at: time('When the attempt began.'),
      duration_ms: Type.Integer({
        description: 'Milliseconds until the status line was received or the attempt failed.',
      }),
      dns_ms: milliseconds('for name resolution'),
      connect_ms: milliseconds('to open the connection'),
      tls_ms: milliseconds('for the TLS handshake'),
      first_byte_ms: milliseconds('from the start of the attempt to the status line'),
      response_status: nullable(Type.Integer(), 'HTTP status of the response.'),
      error: nullable(Type.String(), 'Short description of the error.'),
      error_class: nullable(Type.String(), 'Kind of error.'),
      remote_address: nullable(Type.String(), 'IP address of the connection.'),
      next_attempt_at: nullable(time(''), 'Scheduled time of the next attempt; null if no attempt follows.'),
      answer: nullable(
        Type.String(),
        'First KiB of the response body, with credentials masked; null if there is no body, or if the body is not text or was not stored.',
      ),
      probe: Type.Boolean({ description: 'Whether the attempt was the probe of a half-open circuit breaker.' }),
      request_headers: nullable(
        Type.Record(Type.String(), Type.String()),
        'Headers as they were sent, without the values of the signatures; null for email and notices, and if the event has been deleted.',
      ),
    }),
  ),
});

export const DeliveryFilters = {
  endpoint_id: Type.Optional(id('Only deliveries to this endpoint.')),
  event_id: Type.Optional(id('Only deliveries of this event.')),
  event_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this event type.' })),
  since: Type.Optional(time('Only deliveries created at or after this time.')),
  until: Type.Optional(time('Only deliveries created before this time.')),
};
export const DeliveryStatusFilter = { status: Type.Optional(status) };

export const TestSendAnswer = Type.Object({ event_id: id('The test event.'), delivery_ids: Type.Array(id('')) });
export const ReplayAnswer = Type.Object({
  event_id: id('The event.'),
  delivery_ids: Type.Array(id('')),
  queued: Type.Integer({ description: 'Number of deliveries queued.' }),
  skipped: Type.Array(id(''), {
    description: 'Ids of the endpoints to which nothing is sent, because they are now inactive or deleted.',
  }),
});

export const EventAnswer = Type.Object({
  id: id('The event.'),
  type: Type.String(),
  occurred_at: time('When the event happened.'),
  created_at: time('When the event was stored for sending.'),
  headers: Type.Record(Type.String(), Type.String(), { description: 'Headers common to all attempts.' }),
  body: Type.String({ description: 'The body exactly as signed and sent, in UTF-8.' }),
});

export const RecoveryParams = Type.Object({ recovery_id: id('The recovery.') });
export const RecoverBody = Type.Object(
  {
    endpoint_id: Type.Optional(id('Only deliveries to this endpoint.')),
    since: time('Only deliveries created at or after this time.'),
    until: Type.Optional(time('Only deliveries created before this time; default now.')),
    status: Type.Optional(Type.Literal('dead', { description: 'Only dead deliveries can be recovered.' })),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'True: the deliveries are only counted, not sent.' }),
    ),
  },
  { additionalProperties: false },
);
const recovered = {
  matched: Type.Integer({
    description: 'Number of matching dead deliveries that had not been replayed or recovered before this request.',
  }),
};
export const RecoverAnswer = Type.Object({
  ...recovered,
  queued: Type.Integer({
    description: 'Number of deliveries that will be sent again: those whose endpoint is active; 0 for a dry run.',
  }),
  recovery_id: nullable(
    Type.String({ format: 'uuid' }),
    'Id of the recovery, for reading its progress; null if nothing is queued.',
  ),
});
export const RecoveryAnswer = Type.Object({
  id: id('The recovery.'),
  endpoint_id: nullable(Type.String({ format: 'uuid' }), 'Only deliveries to this endpoint.'),
  since: time('Only deliveries created at or after this time.'),
  until: time('Only deliveries created before this time.'),
  status: Type.Union([Type.Literal('running'), Type.Literal('finished')]),
  ...recovered,
  queued: Type.Integer({ description: 'Number of deliveries queued so far.' }),
  skipped: nullable(
    Type.Integer(),
    'Number of deliveries that were skipped because their endpoint is inactive or deleted, or because they were sent again in the meantime; null while the recovery is running.',
  ),
  created_at: time('When it was requested.'),
  finished_at: nullable(time(''), 'When the last batch was queued.'),
});

export const CatalogueAnswer = Type.Object({
  version: Type.String(),
  event_types: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      data_schema: Type.Unknown({
        description: 'JSON Schema of `data`. Fields may be added later, so receivers must ignore unknown fields.',
      }),
      example: Type.Unknown({ description: 'A `data` object.' }),
    }),
  ),
  signature_header: Type.String(),
  headers: Type.Record(Type.String(), Type.String(), { description: 'All headers and their meaning.' }),
  tolerance_seconds: Type.Integer(),
  max_attempts: Type.Integer(),
  retry_delays_seconds: Type.Array(Type.Integer()),
  timeout_seconds: Type.Number({ description: 'Time limit of an attempt; an attempt that takes longer has failed.' }),
  success: Type.String(),
});
