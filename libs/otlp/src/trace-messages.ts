import protobuf from 'protobufjs/light.js';

/** One field: its number and type; `[]` marks a repeated field. */
type Fields = Readonly<Record<string, readonly [id: number, type: string]>>;

/**
 * The messages of opentelemetry-proto 1.9 for requests with traces and for their responses, with only the fields that
 * are used. All other fields, also those of later versions, are skipped.
 */
const MESSAGES: Readonly<Record<string, Fields>> = {
  ExportTraceServiceRequest: { resourceSpans: [1, 'ResourceSpans[]'] },
  ExportTraceServiceResponse: { partialSuccess: [1, 'ExportTracePartialSuccess'] },
  ExportTracePartialSuccess: { rejectedSpans: [1, 'int64'], errorMessage: [2, 'string'] },
  ResourceSpans: { resource: [1, 'Resource'], scopeSpans: [2, 'ScopeSpans[]'] },
  Resource: { attributes: [1, 'KeyValue[]'] },
  ScopeSpans: { spans: [2, 'Span[]'] },
  Span: {
    traceId: [1, 'bytes'],
    spanId: [2, 'bytes'],
    parentSpanId: [4, 'bytes'],
    name: [5, 'string'],
    startTimeUnixNano: [7, 'fixed64'],
    endTimeUnixNano: [8, 'fixed64'],
    attributes: [9, 'KeyValue[]'],
    events: [11, 'Event[]'],
    status: [15, 'Status'],
  },
  Event: { name: [2, 'string'], attributes: [3, 'KeyValue[]'] },
  Status: { message: [2, 'string'], code: [3, 'int32'] },
  KeyValue: { key: [1, 'string'], value: [2, 'AnyValue'] },
  KeyValueList: { values: [1, 'KeyValue[]'] },
  ArrayValue: { values: [1, 'AnyValue[]'] },
  AnyValue: {
    stringValue: [1, 'string'],
    boolValue: [2, 'bool'],
    intValue: [3, 'int64'],
    doubleValue: [4, 'double'],
    arrayValue: [5, 'ArrayValue'],
    kvlistValue: [6, 'KeyValueList'],
    bytesValue: [7, 'bytes'],
  },
  /** google.rpc.Status, the body of an error. */
  RpcStatus: { code: [1, 'int32'], message: [2, 'string'] },
};

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(
    Object.entries(MESSAGES).map(([name, fields]) => [
      name,
      {
        fields: Object.fromEntries(Object.entries(fields).map(([field, given]) => [field, describeField(given)])),
        // At most one of these fields is set; its value may be an empty string, false or zero.
        ...(name === 'AnyValue' ? { oneofs: { value: { oneof: Object.keys(fields) } } } : {}),
      },
    ]),
  ),
}).resolveAll();

function describeField([id, type]: Fields[string]): protobuf.IField {
  return type.endsWith('[]') ? { id, type: type.slice(0, -2), rule: 'repeated' } : { id, type };
}

export const ExportTraceServiceRequest = root.lookupType('ExportTraceServiceRequest');
export const Resource = root.lookupType('Resource');
export const Span = root.lookupType('Span');
export const ExportTraceServiceResponse = root.lookupType('ExportTraceServiceResponse');
export const RpcStatus = root.lookupType('RpcStatus');
